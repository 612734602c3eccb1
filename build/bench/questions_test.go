package bench

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"llmsize/build/toolchain"
	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/fault"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/work"
	"llmsize/site/view"
)

// chosen is a source of random numbers that a fuzzer chooses: two bytes make the
// upper bits of each, what follows its end is a plain generator.
type chosen struct {
	data []byte
	rest *rand.PCG
}

func (c *chosen) Uint64() uint64 {
	n := c.rest.Uint64()
	if len(c.data) >= 2 {
		n = n>>16 | uint64(c.data[0])<<56 | uint64(c.data[1])<<48
		c.data = c.data[2:]
	}
	return n
}

// FuzzAnswers asks about random valid overrides over the catalogue. What is
// answered adds up, tensor by tensor, in numbers that cannot overflow; the link
// that the answer gives is answered by the same bytes; its JSON is JSON; and no
// answer takes more than its budget, nor does what is written of it panic.
func FuzzAnswers(f *testing.F) {
	library := families.Library()
	source, err := NewQuestions(os.DirFS("../../content"), library)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 40 {
		data := make([]byte, 8+i)
		for j := range data {
			data[j] = byte(i*37 + j*91)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := rand.New(&chosen{data, rand.NewPCG(1, 2)})
		c := &Candidate{Base: source.Bases[r.IntN(source.Models)]}
		for range 1 + r.IntN(5) {
			source.Change(c, r)
		}
		x := c.Ask(true)
		cfg, fail := config.ParseObject(x.Config)
		if fail != nil {
			t.Fatalf("the catalogue's config of %s: %v", c.Base.Name, fail)
		}
		var d *device.Device
		if x.Device != "" {
			v, fail := config.ParseObject(x.Device)
			if fail == nil {
				d, fail = device.Parse(&v, nil)
			}
			if fail != nil {
				t.Fatal(fail)
			}
		}
		answer := func(link string) (*report.Report, *fault.Error) {
			q, _, fail := query.Parse(link)
			if fail != nil {
				return nil, fail
			}
			budget := work.New(0)
			a, fail := report.Answer(q, report.Subject{Config: cfg, Device: d, Work: budget}, library)
			if budget.Used() > work.Standard {
				t.Errorf("%s: %d steps", link, budget.Used())
			}
			if fail != nil && fail.Field == "" && !strings.Contains(fail.Problem, "too large") && !strings.Contains(fail.Problem, "too long") {
				t.Errorf("%s: the fault names no key: %v", link, fail)
			}
			return a, fail
		}
		a, fail := answer(x.Query)
		if fail != nil {
			return
		}
		adds(t, x.Query, a)
		text := a.JSON()
		if !json.Valid([]byte(text)) {
			t.Errorf("%s: the answer is not JSON: %s", x.Query, fault.Clip(text, 200))
		}
		again, fail := answer(a.Query.String())
		switch {
		case fail != nil:
			t.Errorf("%s is answered, its own link %s is not: %v", x.Query, a.Query.String(), fail)
		case again.JSON() != text:
			t.Errorf("%s and its own link %s are answered differently", x.Query, a.Query.String())
		}
		for _, region := range append(view.All(), view.OnUse()...) {
			region.HTML(a)
		}
	})
}

// adds holds an answer's totals against the sums over its tensors.
func adds(t *testing.T, link string, a *report.Report) {
	t.Helper()
	total, buffers := new(big.Int), new(big.Int)
	roles := make([]*big.Int, model.NumRoles)
	for i := range roles {
		roles[i] = new(big.Int)
	}
	for bi := range a.Model.Blocks {
		b := &a.Model.Blocks[bi]
		for ki := range b.Kinds {
			layers := int64(0)
			for _, k := range b.Pattern {
				if int(k) == ki {
					layers++
				}
			}
			for pi := range b.Kinds[ki].Parts {
				for ti := range b.Kinds[ki].Parts[pi].Tensors {
					x := &b.Kinds[ki].Parts[pi].Tensors[ti]
					if x.TiedTo != "" {
						continue
					}
					n := big.NewInt(layers)
					for _, d := range x.Dims {
						n.Mul(n, big.NewInt(d.Size))
					}
					for _, e := range x.Each {
						n.Mul(n, big.NewInt(e.N))
					}
					if x.Buffer {
						buffers.Add(buffers, n)
						continue
					}
					total.Add(total, n)
					roles[x.Role].Add(roles[x.Role], n)
				}
			}
		}
	}
	check := func(name string, got int64, want *big.Int) {
		if want.Cmp(big.NewInt(got)) != 0 {
			t.Errorf("%s: %s are %d, and the tensors add up to %v", link, name, got, want)
		}
	}
	check("parameters", int64(a.Parameters.Total), total)
	check("buffers", int64(a.Parameters.Buffers), buffers)
	for i, want := range roles {
		check(model.Role(i).String(), int64(a.Parameters.ByRole[i]), want)
	}
	bytes := new(big.Int)
	for _, x := range a.Weights.Types {
		bytes.Add(bytes, big.NewInt(x.Bytes))
	}
	check("bytes of weights", int64(a.Weights.Bytes), bytes)
}

// TestTimesAskThePrograms: what is timed is an answer. The script that times a program gets from it what this process
// answers: the figures of a question that is answered, and the key of one that is refused.
func TestTimesAskThePrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	llama := `{"model_type":"llama","num_hidden_layers":2}`
	list := []*hard{
		{Question: Question{Query: "v=1&context=1000", Config: llama}, about: "answered"},
		{Question: Question{Query: "v=1&set.num_hidden_layers=-1", Config: llama}, about: "refused"},
	}
	s := &search{library: families.Library(), of: "page"}
	for _, f := range list {
		_, f.refused = s.answer(f.Question)
	}
	if list[0].refused != "" || !strings.Contains(list[1].refused, "num_hidden_layers") {
		t.Fatalf("refused natively: %q, %q", list[0].refused, list[1].refused)
	}
	if err := inNode(t.Context(), root, "page", list); err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !(f.quick.Answer > 0) || !(f.quick.All >= f.quick.Answer) || f.quick.Memory < 1<<16 {
			t.Errorf("%s: %+v", f.about, f.quick)
		}
	}
	if list[0].quick.Regions < 5 || list[1].quick.Regions != 0 {
		t.Errorf("%d regions of an answer, %d of none", list[0].quick.Regions, list[1].quick.Regions)
	}
	list[0].refused = "another"
	if err := inNode(t.Context(), root, "page", list); err == nil {
		t.Error("a program that answers otherwise is timed all the same")
	}
}
