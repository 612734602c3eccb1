package answers

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/model"
	"llmsize/core/units"
)

// tally is how much of something is held against a judge.
type tally struct {
	files, cases, equal, tensors, passes, caches int
}

func (t *tally) add(o tally) {
	t.files += o.files
	t.cases += o.cases
	t.equal += o.equal
	t.tensors += o.tensors
	t.passes += o.passes
	t.caches += o.caches
}

// unequal is a configuration whose sums are not those of what is built.
type unequal struct{ name, why string }

// checks is what the tests hold, read from their own data.
type checks struct {
	byFolder     map[string]*tally
	byType       map[string]tally
	total        tally
	real         int
	realTypes    int
	exceptions   []oracle.Row
	unequal      []unequal
	catalogue    int // models of the catalogue that were built
	transformers string
	torch        string
	engines      []engineCheck
}

// engineCheck is a table of what some other program says.
type engineCheck struct {
	what, judge, file string
	rows              int
}

// folders of the fixtures, with what is in them.
var folders = []struct{ name, what string }{
	{"causal", "decoders"}, {"seq2seq", "encoders with decoders"}, {"masked", "encoders with a head over masked tokens"},
	{"encoder", "encoders without one"}, {"vlm", "models that see or hear"}, {"other", "vision, speech, sound, series, and parts of larger models"},
}

// judged are the tables of other programs, under core/.
var judged = []engineCheck{
	{what: "bytes of the cache that is reserved for one request", judge: "vLLM's planner", file: "memory/testdata/vllm.txt"},
	{what: "bytes of the caches that are reserved", judge: "llama.cpp", file: "memory/testdata/llamacpp.txt"},
	{what: "compute and output buffers", judge: "llama.cpp", file: "memory/testdata/llamacpp_buffers.txt"},
	{what: "bytes that the backward pass keeps, two layers", judge: "autograd", file: "memory/testdata/activations.txt"},
	{what: "bytes that the backward pass keeps, by type", judge: "autograd over transformers' plain form", file: "train/testdata/activations.txt"},
	{what: "parameters of LoRA adapters, four sets of targets each", judge: "peft", file: "train/testdata/adapters.txt"},
}

// check reads the tests' data once.
func (r *Reference) check() (*checks, error) {
	if r.checks != nil {
		return r.checks, nil
	}
	c := &checks{byFolder: map[string]*tally{}, byType: map[string]tally{}}
	for _, folder := range folders {
		files, err := oracle.LoadDir(r.Core, "family/testdata/"+folder.name)
		if err != nil {
			return nil, err
		}
		sum := &tally{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			f := files[name]
			if _, ok := r.Library.File(f.ModelType); !ok {
				continue // built, but not counted here yet
			}
			one := tally{files: 1, cases: len(f.Cases), passes: 0}
			for i := range f.Cases {
				one.tensors += len(f.Cases[i].Tensors)
				if why := r.differs(&f.Cases[i]); why == "" {
					one.equal++
				} else {
					c.unequal = append(c.unequal, unequal{name + ", " + f.Cases[i].Name, why})
				}
			}
			for _, run := range f.Runtimes {
				one.passes += len(run.Passes)
				for _, pass := range run.Passes {
					one.caches += len(pass.Cache)
				}
			}
			c.transformers, c.torch = cmp.Or(f.Transformers, c.transformers), cmp.Or(f.Torch, c.torch)
			sum.add(one)
			t := c.byType[f.ModelType]
			t.add(one)
			c.byType[f.ModelType] = t
		}
		c.byFolder[folder.name] = sum
		c.total.add(*sum)
	}
	if err := c.others(r); err != nil {
		return nil, err
	}
	r.checks = c
	return c, nil
}

// differs counts a case and says how its parameters and buffers are not those of what is built; "" when they are. The
// tests compare every name and shape as well.
func (r *Reference) differs(c *oracle.Case) string {
	cfg, fail := config.ParseObject(string(c.Config))
	if fail != nil {
		return fail.Error()
	}
	m, fail := family.Describe(cfg, r.Library)
	if fail != nil {
		return fail.Error()
	}
	var parameters, buffers int64
	m.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n := t.Elements * t.Copies * layers
		if t.Buffer {
			buffers += n
		} else {
			parameters += n
		}
	})
	switch {
	case parameters != c.Parameters:
		return "counted " + units.Group(parameters) + " parameters, built " + units.Group(c.Parameters)
	case buffers != c.Buffers:
		return "counted " + units.Group(buffers) + " numbers in buffers, built " + units.Group(c.Buffers)
	}
	return ""
}

// others reads what is beside the fixtures of types.
func (c *checks) others(r *Reference) error {
	list, err := oracle.LoadReal(r.Core, "family/testdata/real.txt")
	if err != nil {
		return err
	}
	types := map[string]bool{}
	for _, x := range list {
		if _, ok := r.Library.File(x.ModelType); ok {
			c.real++
			types[x.ModelType] = true
		}
	}
	c.realTypes = len(types)
	built, err := rows(r.Core, "family/testdata/catalogue.txt")
	if err != nil {
		return err
	}
	c.catalogue = built
	if c.exceptions, err = oracle.LoadTable(r.Core, "compute/testdata/exceptions.txt"); err != nil {
		return err
	}
	for _, e := range judged {
		table, err := oracle.LoadTable(r.Core, e.file)
		if err != nil {
			return err
		}
		e.rows = len(table)
		c.engines = append(c.engines, e)
	}
	return nil
}

// rows counts the lines of a file that aren't comments.
func rows(fsys fs.FS, name string) (int, error) {
	text, err := fs.ReadFile(fsys, name)
	n, start := 0, true
	for _, b := range text {
		if start && b != '#' && b != '\n' {
			n++
		}
		start = b == '\n'
	}
	return n, err
}

func group(n int) string { return units.Group(int64(n)) }

// accuracy is one table of what is checked.
func (r *Reference) accuracy(of string) (string, error) {
	c, err := r.check()
	if err != nil {
		return "", err
	}
	var p page
	switch of {
	case "classes":
		p.table("Held against what transformers "+c.transformers+" builds", "What", "Classes#", "Configurations#", "Equal#", "Runs of tensors#")
		for _, f := range folders {
			t := c.byFolder[f.name]
			p.raw(`<tr><th scope="row">`, f.what, `</th><td class="num">`, group(t.files), `</td><td class="num">`, group(t.cases), `</td><td class="num">`, group(t.equal), `</td><td class="num">`, group(t.tensors), `</td></tr>`)
		}
		p.raw(`<tr class="sum"><th scope="row">together</th><td class="num">`, group(c.total.files), `</td><td class="num">`, group(c.total.cases), `</td><td class="num">`, group(c.total.equal), `</td><td class="num">`, group(c.total.tensors), `</td></tr>`)
		p.end()
	case "unequal":
		if len(c.unequal) == 0 {
			p.raw(`<p>Every configuration in the table above is equal.</p>`)
			break
		}
		p.table("Configurations that are counted otherwise than what is built", "Class and what its configuration changes", "Difference")
		for _, x := range c.unequal {
			p.raw(`<tr><th scope="row">`).text(clip(x.name)).raw(`</th><td>`).text(x.why).raw(`</td></tr>`)
		}
		p.end()
	case "real":
		p.table("Held against real configurations", "What", "Configurations#")
		p.raw(`<tr><th scope="row">real config.json files, of `, strconv.Itoa(c.realTypes), ` types: every tensor's name and shape</th><td class="num">`, group(c.real), `</td></tr>`)
		p.raw(`<tr><th scope="row">models of this catalogue: parameters and buffers</th><td class="num">`, group(c.catalogue), `</td></tr>`)
		p.end()
	case "caches":
		p.table("Forward passes that transformers ran, in bf16", "What", "Classes#", "Passes#")
		for _, f := range folders {
			t := c.byFolder[f.name]
			if t.passes == 0 {
				continue
			}
			p.raw(`<tr><th scope="row">`, f.what, `</th><td class="num">`, group(r.withPasses(f.name)), `</td><td class="num">`, group(t.passes), `</td></tr>`)
		}
		p.end()
	case "exceptions":
		p.table("Types whose FLOPs are not those of torch's counter, and why", "model_type", "Reason")
		by := map[string][]string{}
		var order []string
		for _, x := range c.exceptions {
			if by[x["reason"]] == nil {
				order = append(order, x["reason"])
			}
			by[x["reason"]] = append(by[x["reason"]], x["type"])
		}
		slices.SortStableFunc(order, func(a, b string) int { return len(by[b]) - len(by[a]) })
		for _, reason := range order {
			p.raw(`<tr><td>`)
			p.codes(by[reason])
			p.raw(`</td><td>`).text(reason).raw(`</td></tr>`)
		}
		p.end()
	case "engines":
		p.table("Held against other programs", "What", "Whose word", "Cases#")
		for _, e := range c.engines {
			p.raw(`<tr><th scope="row">`).text(e.what).raw(`</th><td>`).text(e.judge).raw(`</td><td class="num">`, group(e.rows), `</td></tr>`)
		}
		p.end()
	case "published":
		r.published(&p)
	case "predicted":
		if err := r.measured(&p, of); err != nil {
			return "", err
		}
		p.raw(`<div data-points><noscript><p class="note">The picture of every run needs script.</p></noscript></div>`)
	default:
		if err := r.measured(&p, of); err != nil {
			return "", err
		}
	}
	return p.String(), nil
}

// withPasses is how many types of a folder have passes.
func (r *Reference) withPasses(folder string) int {
	files, err := oracle.LoadDir(r.Core, "family/testdata/"+folder)
	if err != nil {
		return 0
	}
	n := 0
	for _, f := range files {
		if _, ok := r.Library.File(f.ModelType); ok && len(f.Runtimes) > 0 {
			n++
		}
	}
	return n
}

// published sets this catalogue's counts beside those that others have published.
func (r *Reference) published(p *page) {
	p.table("Counts that others have published", "Model", "Published#", "What it counts", "Beside ours")
	for _, m := range r.Catalogue.Models {
		if m.Published == nil {
			continue
		}
		p.raw(`<tr><th scope="row"><a href="/models/`).text(m.Slug).raw(`/">`).text(m.Name).raw(`</a></th><td class="num">`, units.Group(m.Published.Total), `</td><td>`).text(m.Published.Counts).raw(`</td><td>`)
		if m.Published.Difference == "" {
			p.raw("the same")
		} else {
			p.text(m.Published.Difference)
		}
		p.raw(`</td></tr>`)
	}
	p.end()
}

// clip keeps a name readable: a changed key may hold a whole part of a configuration.
func clip(name string) string {
	if r := []rune(name); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return name
}
