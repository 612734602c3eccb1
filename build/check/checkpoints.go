package check

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"llmsize/wasm/hub/hubtest"
)

// verdicts are the checkpoints of the tests' hub that a second browser brings, one of each kind: a plain model, a tied head that is
// stored twice, layers for further tokens, packings, a GGUF file, a class that nobody knows, and a tensor that is missing.
var verdicts = []string{"llama-parts", "tied-twice", "ahead", "gptq", "awq", "mxfp4", "fp8", "gguf-llama", "nobodys", "no-last-norm"}

// bring is the flow that fetches each of them, unplugs the hub midway, and drops a folder.
func bring(root string, hub *hubtest.Hub) (flow, error) {
	text, err := os.ReadFile(filepath.Join(root, "core", "checkpoint", "testdata", "written.txt"))
	if err != nil {
		return flow{}, err
	}
	all, err := hubtest.ReadWritten(string(text))
	if err != nil {
		return flow{}, err
	}
	var some []hubtest.Written
	for _, name := range verdicts {
		i := slices.IndexFunc(all, func(w hubtest.Written) bool { return w.Name == name })
		if i < 0 {
			return flow{}, fmt.Errorf("no checkpoint is called %s", name)
		}
		hub.Files("written/"+name, all[i].Files, hubtest.Trouble{})
		some = append(some, all[i])
	}
	return flow{"each kind of checkpoint has its verdict", func(t *tab) error {
		// The list comes with a focus, once the calculator's scripts are there.
		if err := t.until("the field's list", `((field) => { field.blur(); field.focus(); return field.hasAttribute("aria-controls"); })(document.querySelector('[name="model"]'))`); err != nil {
			return err
		}
		if _, err := t.text(`document.querySelector("[data-calculator]").dataset.hub = ` + strconv.Quote(hub.URL)); err != nil {
			return err
		}
		for _, w := range some {
			if err := fetched(t, &w); err != nil {
				return fmt.Errorf("%s: %w", w.Name, err)
			}
		}
		return unplugged(t, hub, &some[0])
	}}, nil
}

const region = `document.querySelector("[data-checkpoint]")`

// fetched brings a checkpoint by its id and reads what is said of it.
func fetched(t *tab, w *hubtest.Written) error {
	if err := ask(t, "written/"+w.Name); err != nil {
		return err
	}
	return said(t, w)
}

func ask(t *tab, id string) error {
	if err := t.write(`[name="model"]`, id); err != nil {
		return err
	}
	offer := `document.querySelector('.choices:not([hidden]) [data-fetch=` + strconv.Quote(id) + `]')`
	if err := t.until("a way to fetch it", offer); err != nil {
		return err
	}
	_, err := t.text(offer + `.click() ?? ""`)
	return err
}

// said waits for the verdict with its reasons, the class's elements, and the count of the answer.
func said(t *tab, w *hubtest.Written) error {
	verdict, _, _ := strings.Cut(w.Verdict, ";")
	if err := t.until("the verdict "+verdict, region+`.querySelector("[data-verdict]")?.dataset.verdict === `+strconv.Quote(verdict)); err != nil {
		return err
	}
	if w.Class == 0 {
		return t.until("an estimate that says what is assumed", `document.querySelector('[data-region="running"]').textContent.includes("headers alone")`)
	}
	words, err := json.Marshal(reasons(w.Verdict))
	if err != nil {
		return err
	}
	if err := t.until("its reasons", string(words)+`.every((words) => `+region+`.textContent.includes(words))`); err != nil {
		return err
	}
	return t.until("the class's elements, as torch counts them", count+` === "`+strconv.FormatInt(w.Class, 10)+`" && `+region+`.textContent.replaceAll(",", "").includes("`+strconv.FormatInt(w.Class, 10)+`")`)
}

// reasons are the words on the page for what a written checkpoint's differences are.
func reasons(verdict string) []string {
	out := []string{}
	for _, d := range strings.Split(verdict, "; ")[1:] {
		out = append(out, map[string]string{
			"extra prediction": "layers that predict further tokens", "extra tied": "stored again", "extra buffer": "buffers that the class lacks", "extra scale": "packing data", "missing other": "missing",
		}[d])
	}
	return out
}

// unplugged takes the network away while a checkpoint is read, and gives it back.
func unplugged(t *tab, hub *hubtest.Hub, w *hubtest.Written) error {
	id := "a/unplugged"
	hub.Files(id, w.Files, hubtest.Trouble{Slow: 2e9}) // long enough to be unplugged in between
	if err := ask(t, id); err != nil {
		return err
	}
	// The checkpoint before may have the same count: the link names what is answered.
	if err := t.until("the config's answer", `location.search.includes("unplugged") && `+region+`.querySelector("progress") && `+count+` === "`+strconv.FormatInt(w.Class, 10)+`"`); err != nil {
		return err
	}
	hub.Unplug(id, true)
	if err := t.until("that the hub is away", region+`.querySelector(".error")?.textContent.includes("could not be reached")`); err != nil {
		return err
	}
	hub.Unplug(id, false)
	t.faults = slices.DeleteFunc(t.faults, func(err error) bool { return strings.Contains(err.Error(), id) }) // the browser's own word of it
	if _, err := t.text(`[...` + region + `.querySelectorAll("button")].find((b) => b.textContent === "Try again").click() ?? ""`); err != nil {
		return err
	}
	return said(t, w)
}

// reaching is a handler whose policy lets pages connect to further hosts.
func reaching(h http.Handler, hosts ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&policy{w, strings.Join(hosts, " "), false}, r)
	})
}

type policy struct {
	http.ResponseWriter
	hosts string
	done  bool
}

func (p *policy) WriteHeader(status int) {
	if !p.done {
		p.done = true
		h := p.Header()
		for i, s := range h["Content-Security-Policy"] {
			h["Content-Security-Policy"][i] = strings.Replace(s, "connect-src ", "connect-src "+p.hosts+" ", 1)
		}
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *policy) Write(b []byte) (int, error) {
	if !p.done {
		p.WriteHeader(http.StatusOK)
	}
	return p.ResponseWriter.Write(b)
}
