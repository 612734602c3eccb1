package checkpoint_test

import (
	"strings"
	"testing"

	"llmsize/core/checkpoint"
)

func TestIndex(t *testing.T) {
	files := map[string][]one{"1.safetensors": {{"a.0.x", "F32", []int64{2}}}, "2.safetensors": {{"a.1.x", "F32", []int64{2}}}}
	l := &checkpoint.List{}
	for _, name := range []string{"1.safetensors", "2.safetensors"} {
		header, size := safetensors(files[name])
		if err := read(l, name, header, size, 100); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{`{"metadata":{"total_size":16},"weight_map":{"a.0.x":"1.safetensors","a.1.x":"2.safetensors"}}`, ""},
		{`{"weight_map":{"a.0.x":"1.safetensors"}}`, "does not name it"},
		{`{"weight_map":{"a.0.x":"2.safetensors","a.1.x":"2.safetensors"}}`, "in another file"},
		{`{"weight_map":{"a.0.x":"1.safetensors","a.1.x":"2.safetensors","a.2.x":"2.safetensors"}}`, "does not hold it"},
		{`{"weight_map":{"a.0.x":"1.safetensors","a.0.x":"1.safetensors"}}`, "appears twice"},
		{`{"weight_map":{"a":"../../secret"}}`, "outside its folder"},
		{`{"weight_map":{"a":"/etc/passwd"}}`, "outside its folder"},
		{`{"weight_map":{"a":1}}`, "is not a text"},
		{`{"weight_map":{}}`, "names no file"},
		{`{"weight_map":[]}`, "not what it has to be"},
		{`{"weight_map":{"a":"b"`, "ends too early"},
		{`<html>`, "web page"},
		{``, "ends too early"},
	} {
		x := checkpoint.NewIndex("x.index.json")
		err := x.Write([]byte(c.text))
		if err == nil {
			err = x.End()
		}
		if err == nil {
			err = x.Check(l)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
