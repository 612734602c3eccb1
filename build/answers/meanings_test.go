package answers

import (
	"encoding/json"
	"testing"
	"testing/fstest"
)

func TestMeanings(t *testing.T) {
	text, err := Meanings(fstest.MapFS{"keys.toml": {Data: []byte("[[group]]\nid = \"a\"\n[group.keys]\nn_layer = \"layers\"\n[[group]]\nid = \"b\"\n[group.keys]\ndim = \"width\"\n")}})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 2 || got["n_layer"] != "layers" || got["dim"] != "width" {
		t.Errorf("%s (%v)", text, err)
	}
	if _, err := Meanings(fstest.MapFS{}); err == nil {
		t.Error("a folder without keys has meanings")
	}
}
