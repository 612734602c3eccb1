package config

import "testing"

// TestLined: what is read again stands on the same lines, and says the same.
func TestLined(t *testing.T) {
	for _, text := range []string{
		"{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n\n  \"c\": {\n    \"d\": \"x\\ny\"\n  }, \"e\": null\n}\n",
		`{"a":[1,{"b":[]}],"c":{}}`, "{}", "\n\n{\"a\":\n\n 1}",
	} {
		v, fail := ParseObject(text)
		if fail != nil {
			t.Fatal(fail)
		}
		again, fail := ParseObject(v.Lined())
		if fail != nil {
			t.Fatal(fail)
		}
		if again.JSON() != v.JSON() {
			t.Errorf("%q became %q", text, v.Lined())
		}
		for i, k := range v.Keys {
			if again.Get(k).Line != v.Vals[i].Line {
				t.Errorf("%q: %s on line %d, not %d", text, k, again.Get(k).Line, v.Vals[i].Line)
			}
		}
	}
}
