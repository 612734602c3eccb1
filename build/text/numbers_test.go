package text

import (
	"fmt"
	"strings"
	"testing"
)

// numberTable is a report of one query, the fields by name.
type numberTable map[string]Value

func (t numberTable) Number(query, field string) (Value, error) {
	if !strings.Contains(query, "model=known") {
		return Value{}, fmt.Errorf("model is not in the catalogue")
	}
	if strings.Contains(query, "batch=2") {
		field += " twice"
	}
	v, ok := t[field]
	if !ok {
		return v, fmt.Errorf("no field %s", field)
	}
	return v, nil
}

var fields = numberTable{
	"parameters.total":     {Int: 8_030_261_248, Unit: Params},
	"parameters.active":    {Int: 2_007_565_312, Unit: Params}, // a quarter of the total
	"weights.bytes":        {Int: 16_060_522_496, Unit: Bytes}, // 14.957… × 2^30
	"flops":                {Float: 1.2345e23, IsFloat: true, Unit: FLOPs},
	"prefill.flops":        {Int: 15_060_000_000_000, Unit: FLOPs},
	"time":                 {Float: 0.0123, IsFloat: true, Unit: Seconds},
	"name":                 {Text: "Llama & co", IsText: true},
	"layers":               {Int: 32},
	"kv_cache.bytes":       {Int: 1 << 30, Unit: Bytes},
	"kv_cache.bytes twice": {Int: 2 << 30, Unit: Bytes},
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ source, plain, tex string }{
		{"parameters.total", "8,030,261,248", "8{,}030{,}261{,}248"},
		{"parameters.total exact", "8,030,261,248", "8{,}030{,}261{,}248"},
		{"parameters.total plain", "8030261248", "8030261248"},
		{"parameters.total short", "8.03 B", `8.03\,\text{B}`},
		{"weights.bytes short", "16.1 GB", `16.1\,\text{GB}`},
		{"weights.bytes gib", "15.0 GiB", `15.0\,\text{GiB}`},
		{"flops short", "123 ZFLOP", `123\,\text{ZFLOP}`},
		{"prefill.flops short", "15.1 TFLOP", `15.1\,\text{TFLOP}`},
		{"flops sci", "1.23 × 10²³", `1.23 \times 10^{23}`},
		{"time short", "12.3 ms", `12.3\,\text{ms}`},
		{"name", "Llama & co", `\text{Llama \& co}`},
		{"layers", "32", "32"},
		{"parameters.active percent of parameters.total", "25.0%", `25.0\%`},
		{"parameters.total ratio of parameters.active", "4.00", "4.00"},
		{"parameters.total ratio.0 of parameters.active", "4", "4"},
		{"kv_cache.bytes ratio.1 batch=2 of kv_cache.bytes", "2.0", "2.0"},
		{"kv_cache.bytes ratio.1 of kv_cache.bytes batch=2", "0.5", "0.5"},
	} {
		t.Run(c.source, func(t *testing.T) {
			e, err := ParseNumber(c.source)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Eval(fields, "v=1&model=known")
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Plain(); got != c.plain {
				t.Errorf("plain %q, want %q", got, c.plain)
			}
			if got := r.TeX(); got != c.tex {
				t.Errorf("TeX %q, want %q", got, c.tex)
			}
		})
	}
}

func TestHTMLNamesItsSource(t *testing.T) {
	e, err := ParseNumber("weights.bytes gib")
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Eval(fields, "v=1&model=known")
	if err != nil {
		t.Fatal(err)
	}
	want := `<data value="16060522496" data-field="weights.bytes" data-query="v=1&amp;model=known">15.0` + "\u00a0" + `GiB</data>`
	if got := r.HTML(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"", "empty"},
		{"parameters.totl", "no field parameters.totl"},
		{"parameters.total shrt", `"shrt" isn't a format`},
		{"parameters.total short model", "not key=value"},
		{"parameters.total model=other", "not in the catalogue"},
		{"parameters.total gb", "not a number of bytes"},
		{"flops", "short or sci"},
		{"name short", "is text"},
		{"parameters.total percent", `"of"`},
		{"parameters.total of layers", `"of"`},
		{"layers ratio of name", "text"},
	} {
		t.Run(c.source, func(t *testing.T) {
			e, err := ParseNumber(c.source)
			if err == nil {
				_, err = e.Eval(fields, "v=1&model=known")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}

func TestOverlay(t *testing.T) {
	for _, c := range []struct{ query, key, want string }{
		{"v=1&model=a", "model=b", "v=1&model=b"},
		{"v=1", "batch=2", "v=1&batch=2"},
		{"", "batch=2", "batch=2"},
		{"v=1&kv-policy=paged", "kv=fp8", "v=1&kv-policy=paged&kv=fp8"},
	} {
		if got := Overlay(c.query, c.key); got != c.want {
			t.Errorf("Overlay(%q, %q) = %q, want %q", c.query, c.key, got, c.want)
		}
	}
}

func TestReplace(t *testing.T) {
	got, err := ReplaceNumbers("a {= layers =} b {=layers=}, {= open", fields, "model=known", Result.Plain)
	if want := "a 32 b 32, {= open"; got != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
