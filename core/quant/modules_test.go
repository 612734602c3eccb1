package quant

import (
	"regexp"
	"strings"
	"testing"
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
		// Names change what stands before the layers; towers and prediction layers are no layers of the text model.
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
	for _, s := range []string{`.*self_attn.*`, `a(b|cd)*e?`, `[a-c]+\d$`, `^x|y`, `\.w_1`, `(?:ab)+.`, `[^.]*\.q`} {
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
		m := matcher{s: name, left: 20_000}
		got := m.seq(r.seq, 0, func(int) bool { return true })
		if want := std.MatchString(name); got != want && m.left > 0 {
			t.Errorf("%q on %q: %v, want %v", src, name, got, want)
		}
	})
}
