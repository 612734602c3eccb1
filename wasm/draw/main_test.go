//go:build !js

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"llmsize/build/toolchain"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/site/chart"
)

// TestTheSameDrawing: what each compiler makes of this program draws what the site draws when it is built, of models with one kind
// of layer and with several, with experts, towers and states, and of text that is no plan.
func TestTheSameDrawing(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	lib := families.Library()
	plans := []string{"", "h", "t\tq\n", "b\ti\tlayers\t0\t3\nk\t\t3\nt\tq\t\t2\t1"}
	for _, kind := range []string{"llama", "gpt2", "gemma2", "mixtral", "deepseek_v3", "mamba2", "qwen2_vl", "whisper", "t5"} {
		m, fail := family.Describe(config.Value{Kind: config.Object}.Set("model_type", config.Value{Kind: config.String, Text: kind}), lib)
		if fail != nil {
			t.Fatal(fail)
		}
		plans = append(plans, chart.Plan(m, nil))
	}
	var want []string
	for _, p := range plans {
		want = append(want, chart.Draw(p, chart.Wide, "wide"), chart.Draw(p, chart.Narrow, "narrow"))
	}
	if n := len(want[len(want)-1]); n < 1000 {
		t.Fatalf("the last drawing has %d bytes", n)
	}
	root, err := toolchain.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	input, err := json.Marshal(plans)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plans.json"), input, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tinygo", "go"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("LLMSIZE_WASM", name)
			c, err := toolchain.FindCompiler(t.Context(), root)
			if err != nil {
				t.Skip(err)
			}
			wasm := filepath.Join(dir, name+".wasm")
			result, err := toolchain.BuildWASM(t.Context(), "wasm/draw", wasm, toolchain.Options{Root: root, Compiler: c})
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("node", filepath.Join("testdata", "draw.mjs"), result.Exec, wasm, filepath.Join(dir, "plans.json")).Output()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if err := json.Unmarshal(out, &got); err != nil || !slices.Equal(got, want) {
				t.Errorf("it draws otherwise (%v): %d drawings, want %d", err, len(got), len(want))
			}
		})
	}
}
