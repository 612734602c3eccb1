package site_test

import "testing"

// TestHurry does what somebody does who has ten seconds, with real clicks and keys.
func TestHurry(t *testing.T) {
	flows(t, []flow{
		{"a key is looked up", lookedUp},
	})
}

// The key of all models stands before those of single ones that have its words in them.
func lookedUp(t *testing.T, url string) {
	p := open(t, url, "/")
	eval[bool](p, `(() => {
		const { fetch } = globalThis;
		globalThis.fetch = (what, ...rest) => what !== "/search.json" ? fetch(what, ...rest) : Promise.resolve(Response.json({
			pages: [["/keys/", "Keys"]], sections: [], terms: [
				[0, "decoder", "decoder_num_key_value_heads", "Key and value heads: num_key_value_heads of the decoder."],
				[0, "all", "num_key_value_heads", "As many as queries, fewer, or one."],
			],
		}));
		return true;
	})()`)
	p.keys("/")
	p.is("the dialog is open", `document.querySelector("dialog.search")?.open`)
	p.keys("num_key_value_heads")
	p.is("what is called just that is first", `document.querySelectorAll("dialog.search li a").length === 2 && document.querySelector("dialog.search li a").hash === "#all"`)
}
