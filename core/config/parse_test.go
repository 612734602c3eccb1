package config_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/config"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, src, field, problem string }{
		{"empty", "", "", "empty"},
		{"spaces", " \n\t", "", "empty"},
		{"truncated", `{"hidden_size": 4096, "num`, "", "ends too early"},
		{"no value", `{"hidden_size": }`, "hidden_size", "not a JSON value"},
		{"twice", `{"a":1,"a":2}`, "a", "twice"},
		{"twice inside", `{"a":{"b":1,"b":1}}`, "b", "twice"},
		{"trailing comma", `{"a":1,}`, "", "key is missing"},
		{"trailing text", `{"a":1} x`, "", "more text"},
		{"single quotes", `{'a':1}`, "", "key is missing"},
		{"leading zero", `{"a":01}`, "", "comma or a closing brace"},
		{"bare word", `{"a":nul}`, "a", "not a JSON value"},
		{"deep", strings.Repeat("[", 10_000), "", "too deep"},
		{"deep object", strings.Repeat(`{"a":`, 10_000), "a", "too deep"},
		{"long", `{"a":"` + strings.Repeat("x", 10<<20) + `"}`, "", "too long"},
		{"control character", "{\"a\":\"\n\"}", "a", "control character"},
		{"bad escape", `{"a":"\x"}`, "a", "escape"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := config.Parse(c.src)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Problem, c.problem) || c.field != "" && err.Field != c.field {
				t.Errorf("field %q, problem %q; want %q, %q", err.Field, err.Problem, c.field, c.problem)
			}
			if len(err.Error()) > 400 {
				t.Errorf("the message has %d bytes: too long to read", len(err.Error()))
			}
		})
	}
}

func TestParseLine(t *testing.T) {
	_, err := config.Parse("{\n\"a\": 1,\n\"b\": ?\n}")
	if err == nil || err.Line != 3 {
		t.Fatalf("error %v, want line 3", err)
	}
}

// TestManyKeys would take minutes if looking for a double were quadratic.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := 0; b.Len() < 900_000; i++ {
		b.WriteString(`"k` + strings.Repeat("a", i%7) + string(rune('a'+i%26)) + strings.Repeat("b", i/26%50) + strings.Repeat("c", i/1300) + `":1,`)
	}
	b.WriteString(`"end":1}`)
	if _, err := config.Parse(b.String()); err != nil && err.Field == "" {
		t.Fatal(err)
	}
}

func TestInt(t *testing.T) {
	for _, c := range []struct {
		src string
		n   int64
		ok  bool
	}{
		{"4096", 4096, true}, {"-1", -1, true}, {"0", 0, true}, {"-0", 0, true},
		{"9223372036854775807", 1<<63 - 1, true}, {"9223372036854775808", 0, false},
		{"4096.0", 0, false}, {"4e3", 0, false}, {`"4096"`, 0, false}, {"NaN", 0, false}, {"Infinity", 0, false}, {"null", 0, false},
	} {
		v, err := config.Parse(c.src)
		if err != nil {
			t.Fatal(c.src, err)
		}
		if n, ok := v.Int(); n != c.n || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.src, n, ok, c.n, c.ok)
		}
	}
}

// TestFloat holds the reader against strconv, by way of encoding/json, on the
// kind of numbers that configs hold.
func TestFloat(t *testing.T) {
	for _, s := range []string{"0.02", "1e-05", "1e-6", "10000.0", "0.1", "2.5", "1.50", "500000.0", "1E+5", "-0.25", "0.0", "12.000", "3.141592653589793", "1e22", "0.6666666666666666"} {
		var want float64
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := config.ParseFloat(s); !ok || got != want {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"NaN", "Infinity", "", "-", "1e999", "x"} {
		if got, ok := config.ParseFloat(s); ok {
			t.Errorf("%s is read as %v", s, got)
		}
	}
}

func TestPut(t *testing.T) {
	v, _ := config.Parse(`{"a":{"b":1,"c":2},"d":3}`)
	put := func(path string, x config.Value) (config.Value, bool) {
		w := v.Copy()
		ok := w.Put(path, x)
		return w, ok
	}
	w, ok := put("a.b", config.Value{Kind: config.Number, Text: "9"})
	if !ok || w.JSON() != `{"a":{"b":9,"c":2},"d":3}` {
		t.Errorf("%s, %v", w.JSON(), ok)
	}
	if v.JSON() != `{"a":{"b":1,"c":2},"d":3}` {
		t.Errorf("the original changed: %s", v.JSON())
	}
	w, ok = put("x.y", config.Value{Kind: config.Bool, Text: "true"})
	if !ok || w.JSON() != `{"a":{"b":1,"c":2},"d":3,"x":{"y":true}}` {
		t.Errorf("%s, %v", w.JSON(), ok)
	}
	if _, ok = put("d.e", config.Value{Kind: config.Null}); ok {
		t.Error("a path through a number was accepted")
	}
}

// FuzzParse holds the reader against encoding/json: what one takes, the other
// takes too, but for what the package comment lists; and writing gives the same value back.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"\u00e9\n",null,true,{"b":{}}]}`, `[]`, `"x"`, `1`, `{"a":1,"a":2}`, `{"t":[0.0, Infinity]}`, "\"\\ud83d\\ude00\"", "\xef\xbb\xbf{}", `{"\ud800":1}`, "{\"a\":\"\xff\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := config.Parse(s)
		valid := json.Valid([]byte(s))
		switch {
		case err != nil:
			if valid && !strings.Contains(err.Problem, "twice") && !strings.Contains(err.Problem, "too deep") && !strings.Contains(err.Problem, "too long") {
				t.Fatalf("refused valid JSON %q: %v", s, err)
			}
		case !valid:
			if !strings.Contains(s, "NaN") && !strings.Contains(s, "Infinity") && !strings.HasPrefix(s, "\xef\xbb\xbf") {
				t.Fatalf("accepted invalid JSON %q", s)
			}
		default:
			again, err := config.Parse(v.JSON())
			if err != nil {
				// Two keys that differ only in broken bytes become one.
				if strings.Contains(err.Problem, "twice") {
					return
				}
				t.Fatalf("%q is written as %q, which is refused: %v", s, v.JSON(), err)
			}
			if again.JSON() != v.JSON() {
				t.Fatalf("%q: %q is read as %q", s, v.JSON(), again.JSON())
			}
		}
	})
}

// TestNames: a set knows every name that it was given, and no other, however many there are.
func TestNames(t *testing.T) {
	var n config.Names
	for i := range 5000 {
		name := strconv.Itoa(i)
		if n.Add(name) {
			t.Fatalf("%s was there before it came", name)
		}
		for _, old := range []int{0, i / 2, i} {
			if !n.Add(strconv.Itoa(old)) {
				t.Fatalf("after %s, %d is gone", name, old)
			}
		}
	}
}
