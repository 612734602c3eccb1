package rules

import (
	"testing"

	"llmsize/core/query"
	"llmsize/core/report"
)

func TestParseMine(t *testing.T) {
	for _, c := range []struct {
		in           string
		value, digit int64
		unit         string
		binary       int64
		rule         string
	}{
		{"7.5b", 7_500_000_000, 100_000_000, "params", 0, ""},
		{"8030261248", 8_030_261_248, 1, "", 0, ""},
		{"16gb", 16_000_000_000, 1_000_000_000, "bytes", 16 << 30, ""},
		{"14.96gib", 16_063_177_687, 10_737_418, "bytes", 14_960_000_000, ""}, // 14.96 · 2^30 and 2^30 / 100, rounded down
		{"163840bytes", 163_840, 1, "bytes", 0, ""},
		{"1.3e13flop", 13_000_000_000_000, 1_000_000_000_000, "flops", 0, ""},
		{"120tflops", 120_000_000_000_000, 1_000_000_000_000, "flops", 0, ""},
		{".5m", 500_000, 100_000, "", 0, ""},
		{"12lh2", 0, 0, "", 0, "12lh2"},
		{"16p", 0, 0, "", 0, "16p"},
		{"6.44b,12lh2", 6_440_000_000, 10_000_000, "params", 0, "12lh2"},
		{"2n,2tflop", 2_000_000_000_000, 1_000_000_000_000, "flops", 0, "2n"},
		{"", 0, 0, "", 0, ""},
	} {
		m, err := ParseMine(c.in)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		rule := ""
		if m.Rule != nil {
			rule = m.Rule.Name
		}
		if m.Value != c.value || m.Digit != c.digit || m.Unit != c.unit || m.Binary != c.binary || rule != c.rule {
			t.Errorf("%q: %+v rule %s", c.in, m, rule)
		}
	}
	for _, in := range []string{"many", "-5", "0", "0gb", "7.5x", "1e40", "99999999999999999999", "12lh3", "1.5.5", "e5", ".", "gb", "7.5b,lots", "9999999tib"} {
		if m, err := ParseMine(in); err == nil || err.Field != "mine" {
			t.Errorf("%q is read as %+v", in, m)
		}
	}
}

func FuzzMine(f *testing.F) {
	f.Add("7.5b,12lh2")
	f.Add("1.23456789e9gib")
	f.Fuzz(func(t *testing.T, in string) {
		if m, err := ParseMine(in); err == nil && (m.Value < 0 || m.Binary < 0 || m.Number != "" && m.Digit < 1) {
			t.Errorf("%q: %+v", in, m)
		}
	})
}

// TestNearest finds the rule behind figures that were published for these models:
// see TestWrongAnswers for their sources.
func TestNearest(t *testing.T) {
	for _, c := range []struct{ number, query, rule string }{
		{"7.505b", "model=llama-3.1-8b", "no-head"},
		{"7.49b", "model=llama-3.1-8b", "neox-formula"},
		{"78.4b", "model=llama-2-70b", "llama-formula"},
		{"8.05b", "model=mixtral-8x7b", "llama-formula"},
		{"163840", "model=qwen3-32b", "divided-token"},
		{"57344bytes", "model=qwen3-0.6b", "divided-token"},
		{"1748992", "model=deepseek-v3", "2lh-token"}, // 128 heads of 56 are 7,168 wide, as h is: divided-token says the same
		{"15.25gib", "model=deepseek-v3&context=4096", "full-heads"},
		{"62.0gib", "model=gemma-3-27b&context=131072", "2lkd"},
		{"40gib", "model=llama-3-70b&context=8192", "4lh"},
	} {
		r := ask(t, "v=1&"+c.query)
		m, err := ParseMine(c.number)
		if err != nil {
			t.Fatal(err)
		}
		list := Nearest(r, &m, Applying(r))
		if len(list) == 0 || list[0].Answer == nil || list[0].Answer.Rule.Name != c.rule || !list[0].Gives {
			t.Errorf("%s for %s: %+v, want %s", c.number, c.query, names(list), c.rule)
		}
		for i := 1; i < len(list); i++ {
			if size(list[i].Off) < size(list[i-1].Off) {
				t.Errorf("%s for %s: %v is not the nearest first", c.number, c.query, names(list))
			}
		}
	}
	// The exact figure is found too, also when its GiB are called GB: 8,030,261,248 · 2 bytes are 14.96 GiB.
	r := ask(t, "v=1")
	for _, c := range []struct {
		number string
		of     Quantity
		binary bool
	}{{"8.03b", Parameters, false}, {"16.06gb", Weights, false}, {"14.96gb", Weights, true}, {"131072", CachePerToken, false}} {
		m, _ := ParseMine(c.number)
		list := Nearest(r, &m, Applying(r))
		if x := list[0]; x.Answer != nil || x.Of != c.of || x.Binary != c.binary || !x.Gives {
			t.Errorf("%s: %+v, want the exact %s", c.number, names(list), c.of)
		}
	}
}

func names(list []Match) (out []string) {
	for _, x := range list {
		name := "exact " + x.Of.String()
		if x.Answer != nil {
			name = x.Answer.Rule.Name
		}
		out = append(out, name)
	}
	return out
}

// TestNearestAnswersEverything: no model fails, whatever number is given.
func TestNearestAnswersEverything(t *testing.T) {
	for i, m := range known.Models {
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		q, _, _ := query.Parse("v=1&model=" + m.Slug)
		r, fail := report.Answer(q, s, library)
		if fail != nil {
			continue
		}
		mine, err2 := ParseMine([]string{"1", "7b", "5gb", "4e18", "3tflop"}[i%5])
		if err2 != nil {
			t.Fatal(err2)
		}
		for _, x := range Nearest(r, &mine, Applying(r)) {
			if x.Value <= 0 || mine.Unit != "" && x.Of.Unit() != mine.Unit {
				t.Errorf("%s, %s: %+v", m.Slug, mine.Number, x)
			}
		}
	}
}
