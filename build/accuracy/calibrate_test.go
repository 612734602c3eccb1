package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"llmsize/build/assets"
	"llmsize/build/oracle"
	engineFiles "llmsize/content/engines"
	"llmsize/core/device"
	"llmsize/core/predict"
)

// calibration is what the runs give: worked out once for all tests.
var calibration = sync.OnceValues(calibrate)

// TestUpToDate: the files are what the runs give, to the byte, and no file is left of an engine without runs.
func TestUpToDate(t *testing.T) {
	out, err := calibration()
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
	// Eight of these ten lie within 0.5, whatever the two do that are far off on one side.
	if low, high, ok = band([]float64{-0.1, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 2, 3}); !ok || math.Abs(math.Log(low)+0.1) > 1e-9 || math.Abs(math.Log(high)-0.4) > 1e-9 {
		t.Error(low, high, ok)
	}
	// Three times is e^1.0986.
	if _, _, ok = band([]float64{-0.6, -0.6, 0, 0.6, 0.6}); ok {
		t.Error("a band wider than is shown")
	}
	if _, _, ok = band([]float64{-2, -2, 0, 2, 2}); ok {
		t.Error("a band where runs differ by fifty times")
	}
}

// TestBandsHold: every band that a file states holds the likely rate and is no wider than three, and of the runs left out, of every
// kind and engine for which a prediction is shown, eight of ten lie in their bands: so the errors that make calibrate writes say.
func TestBandsHold(t *testing.T) {
	var l predict.Library
	engineFiles.Each(func(name, text string) {
		if err := l.Add(name, text); err != nil {
			t.Fatal(err)
		}
	})
	seen := 0
	for _, e := range l.Engines {
		for _, list := range [][]predict.Class{e.Decode, e.Prefill, e.Token, e.First, e.Training} {
			for _, c := range list {
				if seen++; c.Low > 1 || c.High < 1 || c.High > widest*c.Low*1.001 {
					t.Errorf("%s, %s %s: %g to %g", e.Name, c.Level, c.Of, c.Low, c.High)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d bands", seen)
	}
	text, err := os.ReadFile("errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	classes := 0
	for line := range strings.Lines(string(text)) {
		var kind, level string
		var share, runs int
		var wide float64
		if n, _ := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "# class: %s %s %d%% of %d runs at most %f times wide", &kind, &level, &share, &runs, &wide); n == 5 {
			if classes++; share < 80 || runs < 1 || wide > widest {
				t.Errorf("%s", line)
			}
		}
	}
	if classes < 8 {
		t.Errorf("%d classes", classes)
	}
	for _, name := range []string{"errors.txt", "nested.txt"} {
		rows, err := oracle.LoadTable(os.DirFS("."), name)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		for _, r := range rows {
			share, count, ok := strings.Cut(r["inside_bands"], "% of ")
			if !ok {
				continue
			}
			n, err := strconv.Atoi(share)
			runs, fail := strconv.Atoi(count)
			if shown[r["kind"]] = true; err != nil || fail != nil || n < 80 || runs < 8 {
				t.Errorf("%s, %s of %s: %s inside", name, r["kind"], r["engine"], r["inside_bands"])
			}
		}
		for _, kind := range []string{"decode", "prefill", "token", "training"} {
			if !shown[kind] {
				t.Errorf("%s: no band of %s", name, kind)
			}
		}
	}
}

// TestErrors: the median errors on devices left out are what predictions promise, also where how strongly constants are drawn
// together was chosen without the device: 15% for decoding and training, 30% for prefills, 25% for a token under load.
func TestErrors(t *testing.T) {
	most := map[string]float64{"decode": 15, "prefill": 30, "token": 25, "training": 15}
	for _, name := range []string{"errors.txt", "nested.txt"} {
		rows, err := oracle.LoadTable(os.DirFS("."), name)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, r := range rows {
			limit, judged := most[r["kind"]]
			if r["engine"] != "all" || !judged {
				continue
			}
			got, err := strconv.ParseFloat(strings.TrimSuffix(r["median_error"], "%"), 64)
			if seen++; err != nil || got > limit {
				t.Errorf("%s: %s is off by %s in the median, at most %g%%", name, r["kind"], r["median_error"], limit)
			}
		}
		if seen != len(most) {
			t.Errorf("%s: %d kinds", name, seen)
		}
	}
}

// TestSplits: what a page promises of decoding and of tokens under load holds where runs are left out by other things than their device, as
// far as runs are left that say something about it.
func TestSplits(t *testing.T) {
	rows, err := oracle.LoadTable(os.DirFS("."), "splits.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range rows {
		most := map[string]float64{"decode": 15, "token": 25}[r["kind"]]
		if most == 0 || r["engine"] == "maker" || r["engine"] == "family of devices" || r["kind"] == "token" && r["engine"] == "half a year" {
			continue
		}
		got, err := strconv.ParseFloat(strings.TrimSuffix(r["median_error"], "%"), 64)
		if seen++; err != nil || got > most {
			t.Errorf("%s, %s left out: %s, at most %g%%", r["kind"], r["engine"], r["median_error"], most)
		}
	}
	if seen != 9 {
		t.Errorf("%d rows", seen)
	}
}

// TestKernels: each term of a prediction fits its own kernels on devices left out, but for one format whose kernel is another on newer devices.
func TestKernels(t *testing.T) {
	t.Parallel()
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	list, err := kernels(d)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string][]kernel{}
	for _, x := range list {
		groups[x.part+" "+x.format] = append(groups[x.part+" "+x.format], x)
	}
	for name, group := range groups {
		most := 0.36
		switch {
		case name == "product fp8-block":
			continue
		case name == "product bf16":
			most = 0.15
		case strings.Contains(name, "attention"), strings.HasPrefix(name, "product"):
			most = 0.25
		case strings.HasPrefix(name, "all-reduce"):
			most = 0.55
		}
		if off, devices, _ := kernelErrors(group); median(off) > most || devices < 3 {
			t.Errorf("%s: %.0f%% on %d devices, at most %.0f%%", name, 100*median(off), devices, 100*most)
		}
	}
	if len(list) < 4000 || len(groups) != 17 {
		t.Errorf("%d kernels of %d kinds", len(list), len(groups))
	}
	// By hand: 2 tokens, 3 outputs, 4 inputs in 16 bits read 24 bytes of weights and 2 × 7 numbers, and multiply 2·2·3·4 FLOPs.
	x := kernel{part: "product", format: "bf16"}
	one := &device.Device{Bandwidth: 1000}
	one.Peak[device.BF16] = 100
	if !x.ask(one, []float64{2, 3, 4}) || x.read != 0.052 || x.multiplied != 0.48 {
		t.Errorf("%+v", x)
	}
	// Four ranks send 2 · 3/4 of 100 bytes over 1,000 bytes a second, and start twice.
	x, one.LinkRate = kernel{part: "all-reduce"}, 1000
	if !x.ask(one, []float64{4, 100}) || x.read != 0.15 || x.starts != 2 {
		t.Errorf("%+v", x)
	}
}

// TestNothingBeatsABound: every measured run takes at least what the bound says, on the arithmetic that its engine uses; and a server's
// users together no less than their prompts and answers need of all its devices.
func TestNothingBeatsABound(t *testing.T) {
	runs, _, err := loadRuns()
	if err != nil {
		t.Fatal(err)
	}
	var seen [kinds]int
	for i, x := range runs {
		b := least(x)
		if seen[x.kind]++; x.seconds < b || b <= 0 {
			t.Errorf("%s, %s of %s in %s on %s: %.4g s, bound %.4g s (%.2f)", x.engine, kindNames[x.kind], x.model, x.weights, x.device, x.seconds, b, b/x.seconds)
		}
		if x.kind != first {
			continue
		}
		later := runs[i-1] // the same run's later tokens
		if whole, b := x.seconds+later.seconds*(x.output-1), x.users*x.bound.Request(x.work, x.prompt, x.output, x.fresh); later.kind != token || later.question != x.question || whole < b || b <= 0 {
			t.Errorf("%s: %.4g s for a request, bound %.4g s", x.question, whole, b)
		}
	}
	for k, most := range [kinds]int{600, 600, 1000, 800, 200} {
		if seen[k] < most {
			t.Errorf("%d runs of %s", seen[k], kindNames[k])
		}
	}
	// Servers whose queue never runs dry.
	desk, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := queueRows(desk)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows {
		if x.most <= 0 || x.measured > x.most {
			t.Errorf("%v: at most %.0f", x.Row, x.most)
		}
	}
}

// TestJudgesOnly: runs whose source is share-alike, GPL or non-commercial decide no constant: without them the files are the same.
func TestJudgesOnly(t *testing.T) {
	runs, _, err := loadRuns()
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
	whole, err := calibration()
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

// TestPlaces: which servers had one place fewer than users, by their times. Of n users on n - 1 places one always waits, so on average
// each waits an answer's time over n - 1, and the time to the first token grows with the answer by 1/(n - 1) of it; else not at all.
func TestPlaces(t *testing.T) {
	rows, err := oracle.LoadTable(rateFiles, "rates/serving.txt")
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]oracle.Row{} // by all but the answer's length
	slopes := map[string][]float64{}
	for _, r := range rows {
		users, _ := strconv.ParseFloat(r["users"], 64)
		if r["ttft_ms"] == "" || users > 32 || r["load"] != "" && r["load"] != "short" { // with more users the queue of prompts is most of it
			continue
		}
		server := strings.Join([]string{r["engine"], r["device"], r["model"], r["weights"], r["load"]}, " ")
		key := strings.Join([]string{server, r["tp"], r["pp"], r["dp"], r["users"], r["prompt"]}, " ")
		number := func(r oracle.Row, name string) float64 {
			x, err := strconv.ParseFloat(r[name], 64)
			if err != nil {
				t.Error(err)
			}
			return x
		}
		if was := last[key]; was != nil && was["output"] != r["output"] {
			answer := number(r, "output")*number(r, "tpot_ms") - number(was, "output")*number(was, "tpot_ms")
			slopes[server] = append(slopes[server], (number(r, "ttft_ms")-number(was, "ttft_ms"))/answer*(users-1))
		}
		last[key] = r
	}
	short := 0
	for server, list := range slopes {
		if len(list) < 8 {
			continue
		}
		want := 0.0
		if strings.HasSuffix(server, " short") {
			want = 1
			short++
		}
		if m := median(list); math.Abs(m-want) > 0.2 {
			t.Errorf("%s: first tokens wait %.2f answers over the places, want %g", server, m, want)
		}
	}
	if short == 0 {
		t.Error("no such server")
	}
}

// TestEngineDataIsSmall: what the page loads of engines and families stays below 10 kB after brotli.
func TestEngineDataIsSmall(t *testing.T) {
	var all []byte
	engineFiles.Each(func(_, text string) { all = append(all, text...) })
	n, err := assets.Brotli{}.Size(all)
	if err != nil || n > 10_000 {
		t.Errorf("%d bytes, at most 10,000 (%v)", n, err)
	}
}

// TestOffload: no run with layers on the host beats its bound, half of the estimates lie within a quarter of the run, and what ran fits.
func TestOffload(t *testing.T) {
	d, err := newDesk()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := offloadRows(d)
	if err != nil {
		t.Fatal(err)
	}
	var off []float64
	for _, x := range rows {
		if x.measured > x.bound || x.likely > x.bound {
			t.Errorf("%s on %s, ngl %s, ncmoe %s: %g measured, %g likely, %g at best", x.Row["model"], x.Row["device"], x.Row["ngl"], x.Row["ncmoe"], x.measured, x.likely, x.bound)
		}
		if x.fits == "no" {
			t.Errorf("%s ran on %s with ngl %s, ncmoe %s, and does not fit", x.Row["model"], x.Row["device"], x.Row["ngl"], x.Row["ncmoe"])
		}
		off = append(off, math.Abs(math.Log(x.likely/x.measured)))
	}
	if m := median(off); len(rows) < 15 || m > math.Log(1.25) {
		t.Errorf("%d rows, the median is %.0f%% off", len(rows), 100*math.Expm1(m))
	}
}
