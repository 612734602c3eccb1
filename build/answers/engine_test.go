package answers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"llmsize/build/text"
	"llmsize/core/family"
	"llmsize/core/predict"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

func newEngine(t *testing.T) *Engine {
	t.Helper()
	e, err := New(os.DirFS("../../content"), os.DirFS("../../core/family/families"), "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestNumber(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct {
		query, field string
		want         text.Value
	}{
		// Llama 2, table in its paper's appendix and the checkpoint: 32 layers of
		// 4·4096² + 3·4096·11008 + 2·4096, two matrices of 32000·4096, one norm of 4096.
		{"v=1&model=llama-2-7b", "parameters.total", text.Value{Int: 32*(4*4096*4096+3*4096*11008+2*4096) + 2*32000*4096 + 4096, Unit: text.Params, Query: "v=1&model=llama-2-7b"}},
		{"model=llama-2-7b&v=1&weights=int8", "memory.weights.bytes", text.Value{Int: 6_738_415_616, Unit: text.Bytes, Query: "v=1&model=llama-2-7b&weights=int8"}},
		{"model=llama-2-7b", "config.num_hidden_layers", text.Value{Int: 32, Query: "v=1&model=llama-2-7b"}},
		// NVIDIA's data sheet gives the board up to 700 W.
		{"model=llama-2-7b", "running.device.board_watts", text.Value{Int: 700, Query: "v=1&model=llama-2-7b"}},
		{"model=llama-2-7b", "model.status", text.Value{IsText: true, Text: "exact", Query: "v=1&model=llama-2-7b"}},
	} {
		got, err := e.Number(c.query, c.field)
		if err != nil || got != c.want {
			t.Errorf("%s of %s: got %+v, %v; want %+v", c.field, c.query, got, err, c.want)
		}
	}
}

// TestDeclaredInProse: a figure that is only declared reads in its unit in a chapter.
func TestDeclaredInProse(t *testing.T) {
	e := newEngine(t)
	got, err := text.ReplaceNumbers("{= running.time.decode.joules_per_token short =}", e, "v=1", text.Result.Plain)
	if err != nil || !strings.HasSuffix(got, " J") {
		t.Errorf("%s, %v", got, err)
	}
}

// TestSumsHaveUnits: a sum in prose counts what its terms do; what differs, and a product, is a plain number.
func TestSumsHaveUnits(t *testing.T) {
	e := newEngine(t)
	for field, want := range map[string]text.Unit{
		"parameters.total": text.Params,
		"parameters.total-parameters.by_role.embedding":       text.Params,
		"compute.conventions.6nd-without-embedding.per_token": text.FLOPs, // a name with a minus
		"parameters.total-1":                                  text.Params,
		"1+memory.kv_cache.bytes":                             text.Bytes,
		"memory.kv_cache.bytes-parameters.total":              text.Count,
		"2*memory.kv_cache.bytes":                             text.Count,
	} {
		v, err := e.Number("model=llama-2-7b", field)
		if err != nil || v.Unit != want {
			t.Errorf("%s counts %v, want %v (%v)", field, v.Unit, want, err)
		}
	}
}

func TestNumberSaysWhatIsWrong(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct{ query, field, want string }{
		{"model=llama-2-7b", "parameters.totl", "near it are parameters.total"},
		{"model=llama-2-7b", "parameters", "no number parameters"},
		{"model=llama-2-77b", "parameters.total", "not in the catalogue (near: llama-2-7"},
		{"model=llama-2-7b&contxt=1", "parameters.total", "did you mean context"},
		{"model=llama-2-7b&context=-1", "parameters.total", "context"},
	} {
		if _, err := e.Number(c.query, c.field); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: error %v does not say %q", c.field, c.query, err, c.want)
		}
	}
}

func TestCatalogueAnswersForEveryModel(t *testing.T) {
	e := newEngine(t)
	list, err := e.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Errorf("only %d models", len(list))
	}
	for _, entry := range list {
		if entry.List.Number == "" || entry.Info.Name == "" || !json.Valid(entry.Config) {
			t.Errorf("incomplete: %+v", entry)
		}
	}
	for _, err := range e.Uncounted() {
		t.Log("not counted:", err)
	}
	data, err := e.Report(list[0].Query)
	if err != nil || !json.Valid(data) {
		t.Errorf("report of %s: %v", list[0].Query, err)
	}
}

func TestFiguresAndCalculator(t *testing.T) {
	e := newEngine(t)
	e.UseAssets(func(name string) (string, error) { return "/assets/" + name, nil })
	html, err := e.Calculator("v=1&model=llama-2-7b")
	if err != nil {
		t.Fatal(err)
	}
	packed, fault := e.library.Pack([]string{"llama"})
	if fault != nil {
		t.Fatal(fault)
	}
	for _, want := range []string{"data-calculator", `data-all="/assets/families.txt"`, `data-query="v=1&amp;model=llama-2-7b"`, packed, `data-picks="models" data-slug="llama-2-7b" value="Llama 2 7B"`, "https://example.org/?v=1"} {
		if !strings.Contains(html, want) {
			t.Errorf("the calculator lacks %s", want)
		}
	}
	if html, err = e.Figure("calculator", "v=1&model=llama-2-7b", nil); err != nil || strings.Contains(html, "data-picks") {
		t.Errorf("a calculator in a chapter stays at its model: %v", err)
	}
	for _, c := range []struct {
		kind    string
		options map[string]string
		want    string
	}{
		{"pie", nil, "there are calculator, drawing"},
		{"drawing", map[string]string{"size": "2"}, "size"},
	} {
		if _, err := e.Figure(c.kind, "v=1&model=llama-2-7b", c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.kind, err, c.want)
		}
	}
}

// TestBundleCountsLikeTheFiles: a library from the page's bundle gives what the files give.
func TestBundleCountsLikeTheFiles(t *testing.T) {
	e := newEngine(t)
	page := family.NewLibrary()
	files, err := e.Families()
	if err != nil {
		t.Fatal(err)
	}
	page.AddPacked(string(files["families.txt"]))
	for _, m := range e.catalogue.Models {
		want, err := e.report("v=1&model=" + m.Slug)
		if err != nil {
			continue
		}
		subject, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		subject.Device = want.Subject.Device
		got, fault := report.Answer(want.Query, subject, page)
		if fault != nil {
			t.Errorf("%s: %v", m.Slug, fault)
			continue
		}
		timeline.Add(got)
		if predict.Add(got, e.engines); got.JSON() != want.JSON() {
			t.Errorf("%s: another answer", m.Slug)
		}
	}
}
