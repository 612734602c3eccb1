package spell_test

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"llmsize/core/spell"
)

// TestHidden holds the table against the Unicode tables of Go's library.
func TestHidden(t *testing.T) {
	hidden := []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if want := unicode.In(r, hidden...); spell.Hidden(r) != want {
			t.Errorf("%U: hidden is %v, want %v", r, !want, want)
		}
	}
}

func TestOut(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"LlamaForCausalLM ×2": "LlamaForCausalLM ×2",
		"\x1b[31mred":         `\u001b[31mred`,
		"\u009b31m":           `\u009b31m`,
		"a\u202egpj.exe":      `a\u202egpj.exe`,
		"two\nlines\tof text": `two\u000alines\u0009of text`,
		"z\u200bw":            `z\u200bw`,
		"\x9b31m":             "\ufffd31m",
		"\U000e0041tag":       `\udb40\udc41tag`,
		"end\x00":             `end\u0000`,
	} {
		if got := spell.Out(in); got != want {
			t.Errorf("%q is spelled %q, want %q", in, got, want)
		}
	}
}

// FuzzOut: what is spelled out holds nothing hidden, and means the same where JSON is read.
func FuzzOut(f *testing.F) {
	for _, s := range []string{"plain", "\x1b]0;title\a", "\u202e\U000e0001\ufeff", "\xff\x9b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := spell.Out(s)
		for _, r := range out {
			if spell.Hidden(r) {
				t.Fatalf("%q holds %U", out, r)
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		for _, r := range s {
			if r == '"' || r == '\\' {
				return
			}
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+out+`"`), &back); err != nil || back != s {
			t.Fatalf("%q reads as %q, %v; want %q", out, back, err, s)
		}
	})
}
