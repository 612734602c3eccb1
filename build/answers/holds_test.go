package answers

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"llmsize/build/text"
)

// twoDevices is the content with all devices replaced by one of 100 and one of 200 GB, a system of
// eight, and a machine whose memory is the host's too.
func twoDevices(t *testing.T) *Engine {
	t.Helper()
	content := fstest.MapFS{}
	if err := addFolder(content, "../../content", "models", "presets"); err != nil {
		t.Fatal(err)
	}
	const figures = `"memory":{"bytes":%,"what":"label","from":["a"]},"bandwidth":{"bytes_per_second":1000000000000,"from":["a"]},
		"peak":{"bf16":{"per_second":100000000000000,"from":["a"]}},"sources":{"a":{"grade":"maker","title":"A","date":"2026-01-01"}}}`
	for slug, head := range map[string]string{
		"small": `{"name":"Small","slug":"small","maker":"A","kind":"card",100000000000`,
		"large": `{"name":"Large","slug":"large","maker":"A","kind":"accelerator",200000000000`,
		"host":  `{"name":"Host","slug":"host","maker":"A","kind":"unified",900000000000`,
	} {
		at := strings.LastIndexByte(head, ',')
		content["devices/"+slug+".json"] = &fstest.MapFile{Data: []byte(head[:at+1] + strings.Replace(figures, "%", head[at+1:], 1))}
	}
	content["devices/box.json"] = &fstest.MapFile{Data: []byte(`{"name":"Box","slug":"box","maker":"A","kind":"system","of":{"device":"large","count":8,"from":["a"]},"sources":{"a":{"grade":"maker","title":"A","date":"2026-01-01"}}}`)}
	e, err := New(content, os.DirFS("../../core/family/families"), "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func addFolder(to fstest.MapFS, root string, folders ...string) error {
	for _, folder := range folders {
		files, err := os.ReadDir(root + "/" + folder)
		if err != nil {
			return err
		}
		for _, f := range files {
			data, err := os.ReadFile(root + "/" + folder + "/" + f.Name())
			if err != nil {
				return err
			}
			to[folder+"/"+f.Name()] = &fstest.MapFile{Data: data}
		}
	}
	return nil
}

// TestHolds asks which accelerators hold what training Llama 2 7B takes in bf16: 6,738,415,616
// weights of 8 bytes for weights, gradients and states are 53.9 GB; of 16 bytes, 107.8 GB.
func TestHolds(t *testing.T) {
	e := twoDevices(t)
	const short = "&recompute=full&seq=128" // activations of a few MB
	const model = "model=llama-2-7b&device=small"
	for _, c := range []struct {
		query, field string
		want         text.Value
	}{
		{short, "accelerators.count", text.Value{Int: 2}},
		{short + "&precision=bf16", "accelerators.hold.memory.training.bytes", text.Value{Int: 2}},
		{short, "accelerators.hold.memory.training.bytes", text.Value{Int: 1}},
		{"&precision=deepspeed&seq=1048576", "accelerators.hold.memory.training.bytes", text.Value{}},
		{short + "&precision=bf16", "fits.training", text.Value{IsText: true, Text: "fits"}},
		{short, "fits.training", text.Value{IsText: true, Text: "does not fit"}},
		{short, "fits.sequence", text.Value{IsText: true, Text: "none"}},
		{short, "fits.running", text.Value{IsText: true, Text: "fits"}},
		{short + "&context=4096&batch=64&weights=fp32", "fits.running", text.Value{IsText: true, Text: "does not fit"}}, // 64 · 4096 · 524,288 bytes of cache are 137 GB
	} {
		got, err := e.Number(model+c.query, c.field)
		got.Query = ""
		if err != nil || got != c.want {
			t.Errorf("%s of %s: got %+v, %v; want %+v", c.field, c.query, got, err, c.want)
		}
	}
}

func TestHoldsSaysWhatIsWrong(t *testing.T) {
	e := twoDevices(t)
	for _, c := range []struct{ field, want string }{
		{"accelerators", "there are count"},
		{"accelerators.hold", "there are count"},
		{"accelerators.hold.parameters.total", "not a number of bytes"},
		{"accelerators.hold.memory.training.byte", "near it are"},
		{"fits.it", "there are fits.running"},
	} {
		if _, err := e.Number("model=llama-2-7b&device=small", c.field); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.field, err, c.want)
		}
	}
}
