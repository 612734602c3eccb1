package formula

import "testing"

// names are values for tests; "parts.*" stands for three of them.
type names map[string]Value

func (n names) Value(name string) Value { return n[name] }

func (n names) Each(name string, f func(Value)) {
	for _, x := range []int64{2, 3, 5} {
		f(Whole(x))
	}
}

func TestEval(t *testing.T) {
	env := names{"a": Whole(7), "a.b": Whole(2), "x": Number(0.5), "kind": {Kind: Text, Text: "bf16"}, "big": Whole(1 << 62)}
	for _, c := range []struct {
		src  string
		want Value
	}{
		{"a * a.b + 1", Whole(15)},
		{"a // a.b", Whole(3)},
		{"-a // a.b", Whole(-4)}, // down, as Python does
		{"-a % a.b", Whole(1)},
		{"a / a.b", Number(3.5)},
		{"6 / a.b", Whole(3)},
		{"2^10", Whole(1024)},
		{"-2^2", Whole(-4)}, // the power first
		{"2^3^2", Whole(512)},
		{"a * x", Number(3.5)},
		{"big + big", Number(1 << 63)}, // past int64: a float, which says so
		{"big * 4", Number(1 << 64)},
		{"max(a, gone, 9)", Whole(9)},
		{"min(a, gone)", Whole(7)},
		{"a + gone", Value{}},
		{"sum(parts.*)", Whole(10)},
		{"sum(parts.*, a)", Whole(17)},
		{"ceil(a / a.b)", Whole(4)},
		{"floor(a / a.b)", Whole(3)},
		{`1 if kind == "bf16" else 2`, Whole(1)},
		{`1 if kind == "fp8" else 2`, Whole(2)},
		{"1 if a >= 7 and not a < 7 else 2", Whole(1)},
		{"a / 0", Value{}},
	} {
		n, problem := Parse(c.src)
		if problem != "" {
			t.Errorf("%s: %s", c.src, problem)
			continue
		}
		if got := n.Eval(env); got != c.want {
			t.Errorf("%s is %+v, want %+v", c.src, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ src, source, people, latex string }{
		{"(a+b)*c//d", "(a + b) * c // d", "(a + b) · c / d", `\frac{(a + b) \cdot c}{d}`},
		{"a - (b - c)", "a - (b - c)", "a − (b − c)", "a - (b - c)"},
		{"a*(b*c)", "a * (b * c)", "a · (b · c)", `a \cdot (b \cdot c)`},
		{"(a+b)^2", "(a + b)^2", "(a + b)^2", "(a + b)^{2}"},
		{"max(a.b, 2)", "max(a.b, 2)", "max(a.b, 2)", `\operatorname{max}(a.b, 2)`},
		{"a if b <= 2 else c", "a if b <= 2 else c", "a if b ≤ 2 else c", "a if b ≤ 2 else c"},
	} {
		n, problem := Parse(c.src)
		if problem != "" {
			t.Errorf("%s: %s", c.src, problem)
			continue
		}
		if n.String() != c.source || n.Format(People, nil) != c.people || n.Format(LaTeX, nil) != c.latex {
			t.Errorf("%s: %q, %q, %q", c.src, n.String(), n.Format(People, nil), n.Format(LaTeX, nil))
		}
		if again, _ := Parse(n.String()); again.String() != n.String() {
			t.Errorf("%s is read again as %s", n, again)
		}
	}
	n, _ := Parse("h*k.d")
	if got := n.Format(People, func(name string) string { return map[string]string{"h": "4,096", "k.d": "128"}[name] }); got != "4,096 · 128" {
		t.Errorf("with values: %s", got)
	}
}

func TestTaken(t *testing.T) {
	env := names{"a": Whole(7)}
	for src, want := range map[string]string{"a if a > 3 else 2": "a", "2 * (a if a < 3 else 5 * b)": "2 * (5 * b)", "max(a, gone, parts.*)": "max(a, parts.*)"} {
		n, _ := Parse(src)
		if got := n.Taken(env).String(); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestLeftOut: a product has no factor of nothing, and a list of one is that one.
func TestLeftOut(t *testing.T) {
	name := func(name string) string {
		if name == "one" || name == "gone" {
			return ""
		}
		return name
	}
	for src, want := range map[string]string{"a * one / one": "a", "one * (a + b)": "a + b", "max(a, gone)": "a", "a / (one * b)": "a / b", "one / b": "1 / b", "max(a, gone, b)": "max(a, b)", "sum(a.*)": "sum(a.*)", "c * (one * (a + b))": "c · (a + b)"} {
		n, _ := Parse(src)
		if got := n.Format(People, name); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestNumber: over floats it is what Eval says.
func TestNumber(t *testing.T) {
	env := names{"a": Whole(7), "b": Number(0.5)}
	for _, src := range []string{"a * b + 2", "(a - b) / b", "max(a, b, gone)", "min(a, b)", "sum(a, b, gone, 0.25)", "1.5 * a", "(a * 9) // 4"} {
		n, _ := Parse(src)
		if got, want := n.Number(func(name string) float64 { return env[name].Float() }), n.Eval(env).Float(); got != want {
			t.Errorf("%s: %g, want %g", src, got, want)
		}
	}
	if n, _ := Parse("a / gone"); n.Number(func(string) float64 { return 0 }) != 0 {
		t.Error("a quotient by nothing")
	}
}

func TestParseFails(t *testing.T) {
	for _, src := range []string{"", "2*", "(2", "2)", "2^", "a b", "max(1", "a if b", `"x`} {
		if _, problem := Parse(src); problem == "" {
			t.Errorf("%q is a formula", src)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("max(a.b, 2) * (c // d)^2 if x == \"y\" else -z")
	f.Add("0 .A")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1000 {
			return
		}
		n, problem := Parse(src)
		if problem != "" {
			return
		}
		n.Eval(names{})
		if again, problem := Parse(n.String()); problem != "" || again.String() != n.String() {
			t.Errorf("%q is written as %q, which is read as %v (%s)", src, n, again, problem)
		}
	})
}
