package accuracy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpToDate: the files are what the runs give, to the byte, and no file is left of an engine without runs.
func TestUpToDate(t *testing.T) {
	out, err := calibrate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range out {
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what make calibrate writes (%v)", name, err)
		}
	}
	files, err := filepath.Glob("../../content/engines/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := "content/engines/" + filepath.Base(f); out[name] == nil && name != "content/engines/families.toml" {
			t.Errorf("%s: no runs give it", name)
		}
	}
}

// TestBand: eight of ten, never narrower than a measurement is good, no wider than three, and none where runs differ more.
func TestBand(t *testing.T) {
	low, high, ok := band([]float64{0, 0, 0})
	if !ok || low > 0.96 || high < 1.05 {
		t.Error(low, high, ok)
	}
	if low, high, ok = band([]float64{-0.6, -0.6, 0, 0.6, 0.6}); !ok || high/low > 3.0001 {
		t.Error(low, high, ok)
	}
	if _, _, ok = band([]float64{-2, -2, 0, 2, 2}); ok {
		t.Error("a band where runs differ by fifty times")
	}
}

// TestNothingBeatsABound: every measured run takes at least what the bound says, on the arithmetic that its engine uses.
func TestNothingBeatsABound(t *testing.T) {
	d, err := newFitDesk()
	if err != nil {
		t.Fatal(err)
	}
	runs, _, err := d.load()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, x := range runs {
		b := least(x)
		if b == 0 {
			continue
		}
		if seen++; x.seconds < b {
			t.Errorf("%s, %s of %s in %s on %s: %.4g s, bound %.4g s (%.2f)", x.engine, kindNames[x.kind], x.model, x.weights, x.device, x.seconds, b, b/x.seconds)
		}
	}
	if seen < 1000 {
		t.Errorf("%d runs", seen)
	}
}

// TestJudgesOnly: runs whose source is share-alike, GPL or non-commercial decide no constant: without them the files are the same.
func TestJudgesOnly(t *testing.T) {
	d, err := newFitDesk()
	if err != nil {
		t.Fatal(err)
	}
	runs, _, err := d.load()
	if err != nil {
		t.Fatal(err)
	}
	judges := 0
	for _, x := range runs {
		if !x.fit {
			judges++
		}
		for _, source := range []string{"aws-neuron/aws-neuron-sdk", "stas00/ml-engineering", "te42kyfo/gpu-benches", "ProjectPhysX/"} {
			if x.fit && strings.HasPrefix(x.source, source) {
				t.Errorf("%s decides constants", x.source)
			}
		}
	}
	if judges == 0 {
		t.Error("no run only judges")
	}
	whole, err := calibrate()
	if err != nil {
		t.Fatal(err)
	}
	less := calibrated(without(runs, func(x *run) bool { return !x.fit }), nil)
	for name := range whole {
		if strings.HasPrefix(name, "content/engines/") && name != "content/engines/neuron.toml" && constantsIn(whole[name]) != constantsIn(less[name]) {
			t.Errorf("%s is another without the runs that only judge", name)
		}
	}
}

// constantsIn is a file without its bands, which are errors on runs that judge too.
func constantsIn(text []byte) string {
	var out []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "low ") && !strings.HasPrefix(line, "high ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
