package quant

import "testing"

// TestTypes holds each type's bits an element against the published table
// (llama.cpp, ggml_type traits), in 1/10000. A tool that says 2.5 for IQ2_S leaves
// its signs and scales out.
func TestTypes(t *testing.T) {
	want := map[string]int64{
		"F32": 320000, "F16": 160000, "BF16": 160000, "Q8_0": 85000, "Q6_K": 65625, "Q5_K": 55000, "Q5_1": 60000, "Q5_0": 55000,
		"Q4_K": 45000, "Q4_1": 50000, "Q4_0": 45000, "Q3_K": 34375, "Q2_K": 26250, "IQ4_NL": 45000, "IQ4_XS": 42500,
		"IQ3_S": 34375, "IQ3_XXS": 30625, "IQ2_S": 25625, "IQ2_XS": 23125, "IQ2_XXS": 20625, "IQ1_M": 17500, "IQ1_S": 15625,
		"TQ2_0": 20625, "TQ1_0": 16875, "MXFP4": 42500,
	}
	for _, x := range ggmlTypes[1:] {
		if got := x.bytes * 80000 / x.block; got != want[x.name] {
			t.Errorf("%s: %d/10000 bits, want %d", x.name, got, want[x.name])
		}
		delete(want, x.name)
	}
	if len(want) > 0 {
		t.Errorf("no type %v", want)
	}
}

// A row that a block does not divide takes the type that llama.cpp falls back to.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		t    ggml
		row  int64
		want ggml
	}{
		{tQ4K, 4096, tQ4K}, {tQ4K, 2880, tQ50}, {tQ5K, 2880, tQ51}, {tQ6K, 2880, tQ80}, {tQ2K, 2880, tQ40}, {tIQ2XXS, 2880, tIQ4NL},
		{tQ4K, 100, tF16}, {tQ80, 100, tF16}, {tMXFP4, 16, tF16},
	} {
		if got := c.t.fits(c.row); got != c.want {
			t.Errorf("%s with rows of %d: %s, want %s", ggmlTypes[c.t].name, c.row, ggmlTypes[got].name, ggmlTypes[c.want].name)
		}
	}
}
