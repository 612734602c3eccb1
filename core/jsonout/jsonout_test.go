package jsonout_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/jsonout"
)

func TestFloat(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{1639.3375, 3, "1639.338"}, {0, 3, "0.000"}, {-0.0004, 3, "0.000"}, {-2.5, 0, "-3"}, {0.9996, 3, "1.000"}, {1e9, 9, "1000000000.000000000"},
		{3.5e10, 9, "35000000000.000000000"}, {1 << 53, 2, "9007199254740992.00"}, {1e21, 0, "1000000000000000000000"}, {123456789.25, 1, "123456789.3"},
	} {
		if got := jsonout.Float(c.x, c.decimals).String(); got != c.want {
			t.Errorf("%g to %d: %s, want %s", c.x, c.decimals, got, c.want)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := jsonout.Object("x", jsonout.Float(x, 3), "y", jsonout.Int(1)).Set("x", jsonout.Float(x, 0)).String(); got != `{"y":1}` {
			t.Errorf("%g: %s", x, got)
		}
	}
}

// TestFloatDigits holds random numbers against exact arithmetic.
func TestFloatDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x := math.Float64frombits(rng.Uint64())
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		d := rng.IntN(10)
		got, ok := new(big.Rat).SetString(jsonout.Float(x, d).String())
		if !ok {
			t.Fatalf("%g to %d: %s", x, d, jsonout.Float(x, d))
		}
		off := new(big.Rat).Sub(got, new(big.Rat).SetFloat64(x))
		// Half of the last digit, and what scaling a fraction in float64 may lose.
		most := new(big.Rat).SetFloat64(0.5000001 * math.Pow(10, -float64(d)))
		if off.Abs(off).Cmp(most) > 0 {
			t.Fatalf("%g to %d: %s", x, d, jsonout.Float(x, d))
		}
	}
}

// TestOf: whatever a config holds comes out as JSON with the same keys.
func TestOf(t *testing.T) {
	v, fail := config.Parse(`{"a":[NaN,-Infinity,1e999,1e-5,null,{"b":"\ud800","c":"\u0001\u2028"}],"":true}`)
	if fail != nil {
		t.Fatal(fail)
	}
	for _, text := range []string{jsonout.Of(v).String(), jsonout.Of(v).Indent()} {
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		a := got["a"].([]any)
		if a[0] != "NaN" || a[1] != "-Infinity" || a[2] != "1e999" || a[3] != 1e-5 || a[4] != nil || a[5].(map[string]any)["c"] != "\x01\u2028" || got[""] != true {
			t.Errorf("%s", text)
		}
	}
	if got := jsonout.List(jsonout.Text("a\xffb"), jsonout.Value{}, jsonout.Bool(false)).String(); got != `["a�b",null,false]` || !strings.HasPrefix(got, "[") {
		t.Error(got)
	}
}
