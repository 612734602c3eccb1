package quant

import (
	"regexp"
	"runtime"
	"strings"
	"testing"

	"llmsize/core/model"
	"llmsize/core/work"
)

func TestModules(t *testing.T) {
	const q = "model.layers.{i}.self_attn.q_proj"
	for _, c := range []struct {
		list, module, index string
		want                string // layers of 12, "*" for all
	}{
		{"lm_head", "lm_head", "", "*"},
		{"lm_head", q, "i", ""},
		{"model.layers.3.self_attn.q_proj", q, "i", "3"},
		{"model.layers.3 model.layers.5.self_attn", q, "i", "3 5"},
		{"model.layers.1.self_attn", "model.layers.{i}.self_attn_norm.proj", "i", ""},
		{"model.layers.1*", q, "i", "1 10 11"},
		{"model.layers.1.*", q, "i", "1"},
		{"model.layers.*.self_attn", q, "i", "*"},
		{"model.layers.*.mlp.router", q, "i", ""},
		{"*.attn.*", "model.layers.{i}.attn.wkv", "i", "*"},
		{"*.attn.*", q, "i", ""},
		{"re:.*self_attn.*", q, "i", "*"},
		{`re:.*\.self_attn\.(q|k)_proj$`, q, "i", "*"},
		{`re:.*mlp\.(gate|up)_proj.*`, q, "i", ""},
		{`re:model\.layers\.[0-3]\..*`, q, "i", "0 1 2 3"},
		{`re:.*layers\.(2|1\d)\..*`, q, "i", "2 10 11"},
		{"gate", "model.layers.{i}.mlp.gate", "i", "*"},
		{"gate", "model.layers.{i}.mlp.gate_proj", "i", ""},
		{"visual", "thinker.visual.blocks.{b}.attn.qkv", "b", "*"},
		// Names change what is before the layers; towers and prediction layers are no layers of the text model.
		{"language_model.model.layers.4.self_attn*", "model.language_model.layers.{i}.self_attn.q_proj", "i", "4"},
		{"vision_model.model.layers.4.self_attn.q_proj", q, "i", ""},
		{"mtp.layers.0*", q, "i", ""},
		{"model.merger.mlp.0", "model.merger.mlp.0", "", "*"},
		{"model.merger.mlp.0", "model.merger.mlp.2", "", ""},
		{"Linear", q, "i", "*"},
	} {
		m := listModules(strings.Fields(c.list))
		n := 12
		if c.index == "" {
			n = 1
		}
		marks := make([]bool, n)
		m.mark(c.module, c.index, marks, nil)
		var got []string
		for l, on := range marks {
			if on {
				got = append(got, itoa(int64(l)))
			}
		}
		s := strings.Join(got, " ")
		if len(got) == n {
			s = "*"
		}
		if s != c.want {
			t.Errorf("%q on %s: layers %q, want %q", c.list, c.module, s, c.want)
		}
	}
}

// FuzzRegex holds the matcher against Go's own, for what both read.
func FuzzRegex(f *testing.F) {
	for _, s := range []string{`.*self_attn.*`, `a(b|cd)*e?`, `[a-c]+\d$`, `^x|y`, `\.w_1`, `(?:ab)+.`, `[^.]*\.q`, `.*mlp\.(gate|up)_proj.*`, `ab+c?d`, `x(a)*yy|z`} {
		f.Add(s, "model.layers.3.self_attn.q_proj")
	}
	f.Fuzz(func(t *testing.T, src, name string) {
		if len(src) > 30 || len(name) > 40 {
			return
		}
		r, ok := parseRegex(src)
		if !ok {
			return
		}
		for i := 0; i < len(name); i++ {
			if name[i] >= 0x80 || name[i] == '\n' {
				return
			}
		}
		for i := 0; i < len(src); i++ {
			if src[i] >= 0x80 {
				return
			}
		}
		std, err := regexp.Compile("^(?:" + src + ")")
		if err != nil {
			return
		}
		if got, want := r.match(name, false, nil), std.MatchString(name); got != want {
			t.Errorf("%q on %q: %v, want %v", src, name, got, want)
		}
		want := false
		for i := range name {
			want = want || (i == 0 || name[i-1] == '.') && std.MatchString(name[i:])
		}
		if got := r.matchWords(name, nil); got != want && name != "" {
			t.Errorf("%q on a word of %q: %v, want %v", src, name, got, want)
		}
	})
}

// TestRegexIsLinear runs expressions that make a matcher which tries one way after
// the other take as many steps as there are ways: 2^30 here.
func TestRegexIsLinear(t *testing.T) {
	name := strings.Repeat("a", 60)
	for _, src := range []string{`(.*)*[0-9]z`, `(a*)*b`, `(a|a)*b`, `(a?)+a?b`, strings.Repeat("a?", 30) + strings.Repeat("a", 30) + "b", `((((a*)*)*)*)*b`, `(a|aa|aaa)*$b`} {
		r, ok := parseRegex(src)
		if !ok {
			t.Fatal(src)
		}
		budget := work.New(0)
		if r.match(name, false, budget) || r.matchWords(name, budget) {
			t.Errorf("%s matches", src)
		}
		if most := int64(2 * (2*len(r.prog) + 2) * (len(name) + 1)); budget.Used() > most {
			t.Errorf("%s takes %d steps, more than its length times the name's: %d", src, budget.Used(), most)
		}
	}
}

// TestRegexEnds reads long and deep expressions: each is read or refused, and takes little memory.
func TestRegexEnds(t *testing.T) {
	for _, c := range []struct {
		src string
		ok  bool
	}{
		{strings.Repeat("(", 500_000), false},
		{strings.Repeat("(", 500_000) + strings.Repeat(")", 500_000), false},
		{strings.Repeat("(", 16) + strings.Repeat("a", 100_000) + strings.Repeat(")*", 16), true},
		{strings.Repeat("(a)|", 200_000) + "b", true},
		{strings.Repeat("[a]", 300_000), true},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, ok := parseRegex(c.src); ok != c.ok {
			t.Errorf("%s… is read: %v", c.src[:20], ok)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 128*uint64(len(c.src)) {
			t.Errorf("%s… takes %d bytes, %d for each character", c.src[:20], n, n/uint64(len(c.src)))
		}
	}
}

// TestOfNothing: a matrix that is stored without elements takes none in any recipe, and divides by no rows.
func TestOfNothing(t *testing.T) {
	p := model.Part{Tensors: []model.Tensor{{Name: "x.weight", Op: model.MatMul, Dims: []model.Dim{{Size: 0}, {Size: 5}}, Copies: 1, ActiveOf: 1}}}
	if x, ok := matrixOf(&p, 0); ok {
		t.Errorf("it is read as %+v", x)
	}
}
