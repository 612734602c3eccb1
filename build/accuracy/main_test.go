package accuracy

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/serve"
)

// TestDocument: docs/accuracy.md is what the program writes.
func TestDocument(t *testing.T) {
	want, err := document("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/accuracy.md is not up to date: go run ./build accuracy")
	}
	if bytes.Contains(want, []byte("faster than the bound")) {
		t.Error("a run is faster than its bound")
	}
	if n := bytes.Count(want, []byte("above the band")); n > 0 {
		t.Errorf("%d runs above the band, whose upper end is %.2f", n, serve.DecodeEfficiency.High)
	}
}

// TestReasons: a figure that does not come out says why, and none that comes out
// makes excuses.
func TestReasons(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	runs, err := runRows(d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		x := &runs[i]
		if x.agrees() == (x.Row["why"] != "") {
			t.Errorf("%s, %s, %s: %g printed, %g counted (%+.2f%%): %q", x.Row["source"], x.Row["model"], x.Row["quantity"], x.printed, x.counted, 100*x.off(), x.Row["why"])
		}
	}
	counts, err := statedRows(d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range counts {
		x := &counts[i]
		if x.agrees() == (x.Row["why"] != "") {
			t.Errorf("%s, %s: %g stated, %g counted: %q", x.Row["model"], x.Row["count"], x.says, x.counted, x.Row["why"])
		}
	}
	memory, err := trainRows(d)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	defer func() {
		if 10*inside < 8*len(memory) {
			t.Errorf("%d of %d measured peaks lie inside", inside, len(memory))
		}
	}()
	for i := range memory {
		x := &memory[i]
		if x.agrees() {
			inside++
		}
		if x.agrees() == (x.Row["why"] != "") {
			t.Errorf("%s, %s, %s: %g GiB, counted %.2f to %.2f: %q", x.Row["source"], x.Row["model"], x.Row["run"], x.measured, x.peak, x.high, x.Row["why"])
		}
	}
}

func TestValue(t *testing.T) {
	for text, want := range map[string]float64{"3": 3, "100*64*2048/4/8": 409600, "2e3/1e3": 2} {
		if got, err := value(text); err != nil || got != want {
			t.Errorf("%s is %g, want %g (%v)", text, got, want, err)
		}
	}
	for _, text := range []string{"a", "2*b", "/3", "4**5"} {
		if got, err := value(text); err == nil {
			t.Errorf("%s is %g", text, got)
		}
	}
}

// TestLogs: weights as vLLM prints them, to a percent; the cache of the tokens
// that it promises no larger than the memory that it has for them.
func TestLogs(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := logRows(d.ask)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows {
		if x.Row["what"] == "weights" && (x.counted < x.printed*0.99 || x.counted > x.printed*1.01) || x.counted > x.printed*1.01 || x.counted < x.printed*0.8 {
			t.Errorf("%s, %s: %.3f GiB printed, %.3f counted", x.Row["model"], x.Row["what"], x.printed, x.counted)
		}
	}
}

// TestMiscounted works out what Megatron-Bridge prints for gpt-oss-120b, which the table says counts
// two of the experts' three matrices and no window: 36 layers of width 2,880, 64 heads of 64,
// half of them behind 128 tokens, 4 experts of 2,880.
func TestMiscounted(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		seq     string
		s       float64
		printed []float64 // GFLOP a token
	}{{"8192", 8192, []float64{565 / 18347.0 * 1e3, 488 / 15876.0 * 1e3}}, {"4096", 4096, []float64{223 / 8213.0 * 1e3, 153 / 5630.0 * 1e3}}} {
		counted, err := d.count("gpt-oss-120b", c.seq, "model")
		if err != nil {
			t.Fatal(err)
		}
		const third = 6 * 36 * 4 * 2880 * 2880               // the way up
		seen := 128*(128+1)/2 + (c.s-128)*128                // pairs behind the window, of a sequence
		window := 12 * 18 * 64 * 64 * (c.s*(c.s+1)/2 - seen) // three passes, two products, 18 layers
		for _, printed := range c.printed {
			if got := (counted - third + window/c.s) / 1e9; math.Abs(got/printed-1) > 0.006 {
				t.Errorf("%s tokens: %.2f GFLOP without the third matrix and the windows, %.2f printed", c.seq, got, printed)
			}
		}
	}
}

// TestDevicesMeasured: every device that public measurements name ten times or more has a file, or a reason why it has none, which
// docs/devices.md says too.
func TestDevicesMeasured(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/devices.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := oracle.LoadTable(rateFiles, "rates/devices.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, ok := d.devices.Find(r["device"]); ok != (r["why"] == "") {
			t.Errorf("%s, %s measurements: the file is %q, the reason for none %q", r["printed"], r["measurements"], r["device"], r["why"])
		}
		if r["why"] != "" && !bytes.Contains(doc, []byte(r["printed"])) {
			t.Errorf("docs/devices.md doesn't name %s", r["printed"])
		}
		if n, err := strconv.Atoi(r["measurements"]); err != nil || n < 10 {
			t.Errorf("%s: %q measurements", r["printed"], r["measurements"])
		}
	}
}

// TestQueue: half of the full queues are predicted within a quarter, on devices on which no fit has seen a server.
func TestQueue(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := queueRows(d)
	if err != nil {
		t.Fatal(err)
	}
	var off []float64
	for _, x := range rows {
		if x.predicted == nil {
			t.Errorf("%v: nothing is predicted", x.Row)
			continue
		}
		off = append(off, math.Abs(math.Log(x.predicted.Likely/x.measured)))
	}
	if m := median(off); len(off) < 150 || m > math.Log(1.3) {
		t.Errorf("%d rows, the median is %.0f%% off", len(off), 100*math.Expm1(m))
	}
}
