package bench

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"llmsize/build/toolchain"
	"llmsize/build/toolchain/browser"
)

func TestRank(t *testing.T) {
	list := []float64{5, 1, 4, 2, 3}
	for per, want := range map[int]float64{0: 1, 50: 3, 90: 5, 100: 5} {
		if got := rank(list, per); got != want {
			t.Errorf("rank %d: %g, want %g", per, got, want)
		}
	}
	if got := rank(nil, 50); got != 0 {
		t.Errorf("of nothing: %g", got)
	}
	if list[0] != 5 {
		t.Error("the list is sorted in place")
	}
}

func TestTable(t *testing.T) {
	got := table([]column{{rate: 4, runs: []measured{
		{Paint: 10, Edits: []float64{3, 1, 2}, LoadTasks: []float64{60, 80}, bytes: 700, requests: 3},
		{Paint: 30, Edits: []float64{9}, bytes: 900, requests: 5},
	}}})
	got = strings.Join(strings.Fields(got), " ")
	for _, want := range []string{"4× slower", "first paint 30.0 ms", "edit to painted, median 3.0 ms", "1.0, to 80 ms", "none", "900 in 5 requests"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A page that shows its answer late, hears nothing before, and thinks long over an edit: what is measured is known.
const slow = `<!doctype html><title>Slow</title><input id=in><p id=out></p><script>
	const think = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
	const out = document.querySelector("#out");
	setTimeout(() => {
		out.textContent = "0";
		document.querySelector("#in").addEventListener("input", ({ target }) => { think(90); out.textContent = target.value });
	}, 300);
</script>`

func TestOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(slow))
	}))
	defer server.Close()
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	b, err := browser.Start(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	o := &options{path: "/", input: "#in", answer: "#out", values: []string{"7", "8"}, edits: 4}
	m, err := once(b, server.URL, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Paint <= 0 || m.Visible < 300 || m.First < 390 || m.Shift > 0.1 || m.bytes < int64(len(slow)) || m.requests < 1 {
		t.Errorf("%+v", m)
	}
	if len(m.Edits) != 4 || rank(m.Edits, 0) < 90 || len(m.EditTasks) != 4 || rank(m.EditTasks, 0) < 85 {
		t.Errorf("edits %v, long tasks %v: want four of at least 90 ms", m.Edits, m.EditTasks)
	}
	o.input = "#none"
	if _, err := once(b, server.URL, o, 1); err == nil || !strings.Contains(err.Error(), "#none") {
		t.Errorf("a wrong selector: %v", err)
	}
}
