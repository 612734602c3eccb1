package device_test

import (
	"testing"

	"llmsize/core/config"
	"llmsize/core/device"
)

func parse(t *testing.T, text string, of *device.Device) *device.Device {
	t.Helper()
	v, err := config.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := device.Parse(&v, of)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const one = `{"name":"One","slug":"one","maker":"M","kind":"accelerator","memory":{"bytes":100,"what":"reported"},
"bandwidth":{"bytes_per_second":10},"peak":{"bf16":{"per_second":1000},"fp8":{"per_second":2000},"fp32":{"per_second":60}},
"link":{"name":"Wire","bytes_per_second":5},"power":{"watts":300}}`

func TestParse(t *testing.T) {
	d := parse(t, one, nil)
	if d.Memory != 100 || d.Bandwidth != 10 || d.Count != 1 || d.LinkRate != 5 || d.Power != 300 || d.Known != "reported" {
		t.Errorf("%+v", d)
	}
	board := parse(t, `{"name":"Board","slug":"board","kind":"system","of":{"device":"one","count":8},"link":{"name":"Switch","bytes_per_second":7}}`, d)
	if board.Count != 8 || board.Memory != 100 || board.Peak[device.BF16] != 1000 || board.Link != "Switch" || board.LinkRate != 7 || board.Power != 300 || board.Name != "Board" {
		t.Errorf("%+v", board)
	}
	for text, field := range map[string]string{
		`{"name":"a","slug":"a","bandwidth":{"bytes_per_second":1}}`:                       "device.memory.bytes",
		`{"name":"a","slug":"a","memory":{"bytes":1}}`:                                     "device.bandwidth.bytes_per_second",
		`{"name":"a","slug":"a","memory":{"bytes":-1},"bandwidth":{"bytes_per_second":1}}`: "device.memory.bytes",
		`{"memory":{"bytes":1}}`:                         "device.slug",
		`{"name":"a","slug":"a","of":{"count":0}}`:       "device.of.count",
		`{"name":"a","slug":"a","of":{"count":"eight"}}`: "device.of.count",
	} {
		v, err := config.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := device.Parse(&v, nil); err == nil || err.Field != field {
			t.Errorf("%s: %v, want %s", text, err, field)
		}
	}
}

// TestRate: narrow weights run at a narrow rate only where there is one, and
// weights that are widened first at the 16-bit rate.
func TestRate(t *testing.T) {
	d := parse(t, one, nil)
	for weights, want := range map[string]int64{
		"bf16": 1000, "fp16": 1000, "fp8": 2000, "fp8-block": 2000, "int8": 1000, "nvfp4": 2000, "q4_k_m": 1000, "awq-g128": 1000, "fp32": 60,
	} {
		if got, _ := d.Rate(weights); got != want {
			t.Errorf("%s: %d, want %d", weights, got, want)
		}
	}
}
