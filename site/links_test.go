package site_test

import (
	"strconv"
	"strings"
	"testing"
)

// linkLimits: what a link cannot carry is said in words, with the limit.
func linkLimits(t *testing.T, url string) {
	packed := pack(gpt2Config)
	p := open(t, url, "/")
	p.expected = "status of 404" // of a model that there is none of
	p.ready()
	for _, c := range []struct{ link, says string }{
		{"/#config=" + strings.Repeat("A", 64<<10+1), "longer than 64 kB"},
		{"/#config=" + pack(`{"model_type":"gpt2","x":"`+strings.Repeat("x", 1<<20)+`"}`), "unpacks to more than 1 MB"},
		{"/#config=" + pack(strings.Repeat(" ", 30<<20)), "unpacks to more than 1 MB"},
		{"/#config=" + packed[:len(packed)-8], "cut off or changed"},
		{"/#config=%25%25", "cut off or changed"},
		{"/#config=", "cut off or changed"},
		{"/?v=1&set.x=" + strings.Repeat("y", 9000), "8,192 characters"},
		{"/?v=2&model=gpt2", "version of the link is not known"},
		{"/?v=1&model=" + strings.Repeat("z", 101), "called zzz"},
		{"/?v=1&context=99999999999999999999", "Allowed"},
	} {
		eval[bool](p, `(() => { history.pushState(null, "", `+quote(c.link)+`); dispatchEvent(new PopStateEvent("popstate")); return true })()`)
		p.is("it says "+c.says, `[...document.querySelectorAll(".error, [data-problems]")].some((e) => e.textContent.includes(`+quote(c.says)+`))`)
		p.counts(strconv.Itoa(llama)) // the last good answer stays
	}
	// At the limits themselves a link still works.
	big := `{"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"_name_or_path":"` + strings.Repeat("x", 1<<20-200) + `"}`
	eval[bool](p, `(() => { history.pushState(null, "", "/#config=`+pack(big)+`"); dispatchEvent(new PopStateEvent("popstate")); return true })()`)
	p.counts(strconv.Itoa(gpt2))
}

// linkCopied: the link that is copied is the address, and opens to the same question in the same form.
func linkCopied(t *testing.T, url string) {
	for _, link := range []string{
		"/?v=1&model=gpt2&set.n_layer=24&context=1024&units=gib",
		"/?v=1&model=mixtral-8x7b&batch=4&weights=q4_k_m&kv=q8_0&kv-policy=llama.cpp",
		"/?v=1&tp=2&optimizer=muon&zero=1&seq=8192",
		"/?v=1&set.hidden_size=8192#config=" + pack(`{"model_type":"llama","architectures":["LlamaForCausalLM"],"vocab_size":128256,"num_key_value_heads":8,"intermediate_size":14336}`),
	} {
		t.Run(link, func(t *testing.T) {
			p := open(t, url, link)
			defer p.clipboard()()
			p.ready()
			p.is("it is answered", `!("asked" in document.documentElement.dataset)`)
			p.is("the address stays as it is written", `location.pathname + location.search + location.hash === `+quote(link))
			eval[bool](p, `document.querySelector('[data-copy="link"]').click() ?? true`)
			p.is("it is copied", `document.querySelector('[data-copy="link"]').parentElement.querySelector("[data-said]").textContent === "Copied"`)
			if got := eval[string](p, `navigator.clipboard.readText()`); got != url+link {
				t.Errorf("copied\n%s, the address is\n%s", got, url+link)
			}
			eval[bool](p, `document.querySelector('[data-copy="number"]').click() ?? true`)
			p.is("the number is copied as it stands", `navigator.clipboard.readText().then((text) => { globalThis.copied = text }) && globalThis.copied === `+quote(p.count()))
		})
	}
}

// onItsWay: while a larger program is loaded for what is on the screen, a question that is being loaded is not lost, and
// what was said about a link stays.
func onItsWay(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	p.calm()
	// Three gates: the larger program, and two models' configs.
	eval[bool](p, `(() => {
		const real = fetch, wait = {};
		for (const name of ["lenses", "config", "chosen"]) wait[name] = new Promise((open) => { globalThis["open_" + name] = open });
		globalThis.fetch = (address, ...rest) => {
			const at = String(address?.url ?? address);
			const gate = at.includes("/lenses-") ? wait.lenses : at.includes("/gpt2/config.json") ? wait.config : at.includes("/mixtral-8x7b/config.json") ? wait.chosen : null;
			return gate ? gate.then(() => real(address, ...rest)) : real(address, ...rest);
		};
		document.querySelector('[data-region="running"]').scrollIntoView();
		return true;
	})()`)
	p.fill("context", "4096") // what is on the screen has to follow: the larger program is asked for
	p.is("the lens is behind", `document.querySelector('[data-region="running"]').classList.contains("behind")`)
	eval[bool](p, `(() => { history.pushState(null, "", "/?v=1&model=gpt2&context=77&kontext=1"); dispatchEvent(new PopStateEvent("popstate")); return true })()`)
	eval[bool](p, `open_lenses() ?? true`)
	p.is("the lens follows", `!document.querySelector('[data-region="running"]').classList.contains("behind")`)
	p.fill("batch", "3") // while the link's model is on its way
	p.is("the answer before stays", `document.querySelector(".exactly").textContent === "`+strconv.Itoa(llama)+`"`)
	eval[bool](p, `open_config() ?? true`)
	p.counts(strconv.Itoa(gpt2))
	p.is("the address is the link's, with the edit", `location.search === "?v=1&model=gpt2&context=77&batch=3"`)
	p.is("its unknown key is named", `document.querySelector("[data-problems]").textContent.includes("kontext")`)
	eval[bool](p, `document.querySelector('[name="model"]').dispatchEvent(new CustomEvent("pick", { detail: { slug: "mixtral-8x7b" }, bubbles: true })) ?? true`)
	p.fill("batch", "5") // while the chosen one is
	eval[bool](p, `open_chosen() ?? true`)
	p.counts("46702792704")
	p.is("the address has both", `location.search === "?v=1&model=mixtral-8x7b&context=77&batch=5" && document.querySelector('[name="model"]').value === "Mixtral 8x7B"`)
}

// afterAProgram: what is wrong with a question is said on when the larger program comes, which brings up to date what is shown.
func afterAProgram(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	eval[bool](p, `(() => {
		const real = fetch, gate = new Promise((open) => { globalThis.open_lenses = open });
		globalThis.fetch = (address, ...rest) => (String(address?.url ?? address).includes("/lenses-") ? gate.then(() => real(address, ...rest)) : real(address, ...rest));
		return true;
	})()`)
	p.fill("set.num_hidden_layers", "16") // the focus asks for the larger program, too
	p.is("the lens is behind", `document.querySelector('[data-region="running"]').classList.contains("behind")`)
	p.fill("config", `{"hidden_size": 4096}`)
	said := `document.querySelector('[data-field="config"] .error')?.textContent.includes("model_type") && document.querySelector('[name="config"]').getAttribute("aria-invalid") === "true" && document.querySelector("[data-calculator]").matches(".stale")`
	p.is("it is said what is wrong", said)
	eval[bool](p, `open_lenses() ?? true`)
	p.is("the lens follows the question before", `!document.querySelector('[data-region="running"]').matches(".behind, .due")`)
	p.calm()
	p.is("it is still said", said)
}

// afterAnAnswer: a message that follows an answer within its frame is not wiped by what the answer still has to write.
func afterAnAnswer(t *testing.T, url string) {
	p := open(t, url, "/")
	p.ready()
	for _, layers := range []string{"16", "24", "8"} {
		eval[bool](p, `(() => {
			const go = (address) => { history.pushState(null, "", address); dispatchEvent(new PopStateEvent("popstate")) };
			go("/?v=1&set.num_hidden_layers=`+layers+`");
			go("/?v=1&set.num_hidden_layers=-1");
			return true;
		})()`)
		eval[int](p, `new Promise((done) => setTimeout(() => done(1), 700))`) // the answer's other parts come when there is time
		p.is("the message is there", `document.querySelector('[data-field="set.num_hidden_layers"] .error')?.textContent.includes("-1")`)
	}
}
