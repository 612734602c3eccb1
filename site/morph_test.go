package site_test

import "testing"

// TestWritten: an edit writes values where they stand and parses only what has another structure. What stands in the page is
// then what the program wrote, as if all of it had been parsed.
func TestWritten(t *testing.T) {
	flows(t, []flow{{"an edit leaves what the program wrote", func(t *testing.T, url string) {
		p := open(t, url, "/")
		p.ready()
		p.wake()
		eval[bool](p, `(() => {
			globalThis.parsed = globalThis.written = 0;
			const html = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
			Object.defineProperty(Element.prototype, "innerHTML", { ...html, set(text) { if (this.nodeName === "TEMPLATE") parsed++; html.set.call(this, text); } });
			const write = Element.prototype.setAttribute;
			Element.prototype.setAttribute = function (...a) { if (this.closest("svg.memory")) written++; write.apply(this, a); };
			globalThis.differ = () => { // names of regions
				const { answer, root, shown } = document.querySelector(".calc").calculator;
				const bare = (nodes) => { const e = document.createElement("div"); e.append(...nodes); for (const d of e.querySelectorAll("[open]")) d.removeAttribute("open"); return e; };
				return ["fit", "count", "bytes", "opening"].filter((id) => {
					const whole = document.createElement("div");
					html.set.call(whole, answer.html(id));
					if (!answer.regions.includes(id)) return true;
					return shown[id] !== answer.html(id) || !bare(whole.childNodes).isEqualNode(bare(root.querySelector('[data-region="' + id + '"]').cloneNode(true).childNodes));
				}).join();
			};
			return true;
		})()`)
		for _, e := range [][2]string{
			{"context", "16384"}, {"context", "8192"}, {"set.hidden_size", "8192"}, {"devices", "2"}, {"batch", "16"}, {"batch", "15"}, {"weights", "fp8"},
			{"model", "deepseek-v3"}, {"set.hidden_size", "8192"}, {"set.hidden_size", "7168"}, {"model", "gpt2"},
		} {
			p.fill(e[0], e[1])
			p.calm()
			p.is("what stands there is what was written, after "+e[0]+"="+e[1], `differ() === ""`)
		}
		if parsed, written := eval[int](p, "parsed"), eval[int](p, "written"); parsed == 0 || written == 0 {
			t.Errorf("%d regions were parsed and %d values written, and some should have been of each", parsed, written)
		}
	}}})
}
