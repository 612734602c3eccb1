package markup

import (
	"html"
	"reflect"
	"testing"
)

// TestRawTakesLiterals: what Raw, Attr and Lengths write as it stands is of a type that other packages cannot name, so a
// variable of theirs does not compile there.
func TestRawTakesLiterals(t *testing.T) {
	of := reflect.TypeFor[*Writer]()
	for i := range of.NumMethod() {
		m := of.Method(i)
		in := m.Type.In(min(1, m.Type.NumIn()-1))
		if m.Type.IsVariadic() && in.Kind() == reflect.Slice {
			in = in.Elem()
		}
		switch m.Name {
		case "Raw", "Attr", "Lengths":
			if in != reflect.TypeFor[constant]() {
				t.Errorf("%s takes %s", m.Name, in)
			}
		case "Add":
			if in != reflect.TypeFor[Markup]() {
				t.Errorf("%s takes %s", m.Name, in)
			}
		}
	}
}

func TestText(t *testing.T) {
	for _, s := range []string{"", "plain", `<script>alert("x")</script>`, `' onload='`, "a & b &amp; c", "h² × √d", "<", ">>"} {
		var w Writer
		got := w.Text(s).String()
		for i := 0; i < len(got); i++ {
			if c := got[i]; c == '<' || c == '>' || c == '"' || c == '\'' {
				t.Errorf("Text(%q) leaves %c in %q", s, c, got)
			}
		}
		if back := html.UnescapeString(got); back != s {
			t.Errorf("Text(%q) reads as %q", s, back)
		}
		if back := Plain(got); back != s {
			t.Errorf("Plain(Text(%q)) = %q", s, back)
		}
	}
	if got := new(Writer).Text("a\x00b").String(); got != "a\uFFFDb" {
		t.Errorf("a zero byte is written as %q", got)
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, `<span class="n">0</span>`},
		{999, `<span class="n">999</span>`},
		{1000, `<span class="n">1<span>000</span></span>`},
		{-45678, `<span class="n">-45<span>678</span></span>`},
		{8030261248, `<span class="n">8<span>030</span><span>261</span><span>248</span></span>`},
	} {
		if got := new(Writer).Count(c.n).String(); got != c.want {
			t.Errorf("Count(%d) = %s, want %s", c.n, got, c.want)
		}
	}
}

func TestPx(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 5: "0.05", 50: "0.5", 100: "1", 1250: "12.5", 1201: "12.01", -75: "-0.75", 96000: "960"} {
		if got := new(Writer).Px(n).String(); got != want {
			t.Errorf("Px(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestLengths(t *testing.T) {
	if got, want := new(Writer).Lengths(`M@ @h-@"@`, 0, 100, 250).String(), `M0 1h-2.5"@`; got != want {
		t.Errorf("Lengths = %s, want %s", got, want)
	}
}
