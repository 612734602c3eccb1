//go:build !js

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"llmsize/build/browser"
	"llmsize/build/toolchain"
	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/wasm/hub/fetch"
	"llmsize/wasm/hub/hubtest"
)

// large is DeepSeek-V3 as it is published, headers alone, in its 163 files; its elements without scales are
// 671,026,404,352 of the class, 14,848 buffers, and the layer for further tokens: 11,610,068,224 and copies of embedding and head,
// 2·129,280·7,168 (DeepSeek-V3, README_WEIGHTS.md).
const largeElements = 671_026_404_352 + 14_848 + 11_610_068_224 + 2*129_280*7_168

func large(t testing.TB) (files map[string]hubtest.File, tensors int) {
	t.Helper()
	data, err := os.ReadFile("../../content/models/deepseek-v3.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Config json.RawMessage }
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	cfg, fail := config.ParseObject(string(m.Config))
	if fail != nil {
		t.Fatal(fail)
	}
	d, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	files, tensors = hubtest.Quantized(d, 163)
	files["config.json"] = hubtest.File{Head: m.Config}
	return files, tensors
}

// TestLarge reads it natively: every tensor finds its place, and what is more has its reason.
func TestLarge(t *testing.T) {
	files, tensors := large(t)
	if tensors < 90_000 || tensors > 92_000 { // published: 91,991 in all
		t.Errorf("%d tensors", tensors)
	}
	l := &checkpoint.List{}
	for _, n := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(n, ".safetensors") {
			if err := fetch.ReadHeader(l, n, files[n].Size, bytes.NewReader(files[n].Head)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	cfg, _ := config.ParseObject(string(files["config.json"].Head))
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	v := checkpoint.Verify(l, cfg, m)
	said := ""
	for _, d := range v.Differences {
		said += d.Kind + " " + d.Reason + "; "
	}
	if v.Verdict != checkpoint.MoreIn || v.Parameters != largeElements || said != "extra prediction; extra scale; " {
		t.Errorf("%s of %d: %s", v.Verdict, v.Parameters, said)
	}
}

// BenchmarkLarge reads it in the page's worker: at most two seconds from the first header to the verdict.
func BenchmarkLarge(b *testing.B) {
	verify := filepath.Join(b.TempDir(), "verify.wasm")
	built, err := toolchain.BuildWASM(b.Context(), "wasm/verify", verify, toolchain.Options{})
	if err != nil {
		b.Fatal(err)
	}
	hub := hubtest.Start(b)
	files, tensors := large(b)
	hub.Files("a/large", files, hubtest.Trouble{})
	address := page(b, map[string]string{"/verify.wasm": verify, "/verify.exec.js": built.Exec})
	tab := browser.Tab(b)
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		b.Fatal(err)
	}
	request, err := json.Marshal([]map[string]any{{"id": 0, "exec": "/exec.js", "wasm": "/hub.wasm", "verify": "/verify.wasm", "verifyExec": "/verify.exec.js", "families": "/families.txt", "base": hub.URL, "model": "a/large", "timeout": 20000}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		start := time.Now()
		text, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf(compareAll, request), chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		var out struct{ Answers []compared }
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			b.Fatal(err)
		}
		a := out.Answers[0]
		if !a.OK || a.says() != "extra; extra prediction; extra scale" {
			b.Fatalf("%+v", a)
		}
		b.Logf("%s: %d tensors: %d ms in the program, %d MB of its memory; %d ms with 165 requests", built.Compiler, tensors, int(a.Spent), int(a.Memory)>>20, time.Since(start).Milliseconds())
		if a.Spent > 2000 {
			b.Errorf("parsed and matched in %d ms", int(a.Spent))
		}
		if a.Memory > 64<<20 {
			b.Errorf("the program took %d bytes", int(a.Memory))
		}
	}
}
