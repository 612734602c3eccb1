package pages

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func site() map[string][]byte {
	return map[string][]byte{
		"/index.html": []byte("home"), "/memory/index.html": []byte("memory"), "/search.json": []byte("{}"),
		"/assets/calc-0.wasm": {0}, "/assets/main-0.js": {1}, "/assets/hub-0.wasm": {2}, "/assets/hub.worker-0.js": {3}, "/assets/icon-192-0.png": {4}, "/assets/families-0.txt": {5}, "/assets/families-0/llama.txt": {6},
	}
}

func TestTheVersionIsOfAllFiles(t *testing.T) {
	first := OfflineBuild(site())
	if first != OfflineBuild(site()) {
		t.Error("the same files have two versions")
	}
	for path := range site() {
		changed := site()
		changed[path] = append(changed[path], 'x')
		if OfflineBuild(changed) == first {
			t.Errorf("a change of %s is no new version", path)
		}
		moved := site()
		moved[path+"x"] = moved[path]
		delete(moved, path)
		if OfflineBuild(moved) == first {
			t.Errorf("another name of %s is no new version", path)
		}
	}
}

func TestKept(t *testing.T) {
	if got, want := KeptOffline(site()), []string{"/", "/assets/calc-0.wasm", "/assets/families-0.txt", "/assets/main-0.js", "/search.json"}; !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

func TestWorkerBeginsWithItsVersion(t *testing.T) {
	got, err := OfflineWorker([]byte("run()"), "0123456789abcdef", []string{"/", "/assets/a-0.js"})
	want := `const build="0123456789abcdef",files=["/","/assets/a-0.js"],configs="/models/configs.json";` + "\nrun()"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// TestConfigsKeepTheirWords: a reader of JSON makes 1.0 and 1e3 into other words.
func TestConfigsKeepTheirWords(t *testing.T) {
	text := `{"scale": 1.0, "theta": 1e3, "name": "\u00e9"}`
	data, err := ServedConfigs(map[string][]byte{"b": []byte(text), "a": []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(data, &got); err != nil || got["b"] != text || got["a"] != "{}" {
		t.Errorf("%v, %v", got, err)
	}
	if strings.Index(string(data), `"a"`) > strings.Index(string(data), `"b"`) {
		t.Error("the order is not that of the slugs")
	}
}

func TestManifest(t *testing.T) {
	data, err := AppManifest(App{Name: "llmsize", Colour: "#131c2b", Icons: []AppIcon{{Address: "/i.png", Sizes: "192x192", Type: "image/png"}}})
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Start string `json:"start_url"`
		Icons []map[string]string
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Start != "/" || m.Icons[0]["src"] != "/i.png" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, there := m.Icons[0]["purpose"]; there {
		t.Error("an icon without a purpose has one")
	}
}

// TestVersionAgain: the version of files of which some are where they were is that of the files.
func TestVersionAgain(t *testing.T) {
	var h hashes
	files := map[string][]byte{"/a": []byte("one"), "/b": []byte("two"), "/c": {}}
	for range 3 {
		if got, want := h.build(files), OfflineBuild(files); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		files["/b"] = append([]byte("more "), files["/b"]...)
		files["/a"] = files["/a"][:len(files["/a"])-1] // the same place, less of it
	}
}
