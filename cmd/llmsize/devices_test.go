package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestDevices(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"devices", "--json"}, nil, &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	var list []struct {
		Slug    string
		Sources map[string]struct{ Title, Date string }
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) < 80 {
		t.Errorf("%d devices", len(list))
	}
	for _, d := range list {
		if len(d.Sources) == 0 {
			t.Errorf("%s has no source", d.Slug)
		}
	}
	out.Reset()
	if code := run([]string{"devices"}, nil, &out, &errs); code != 0 || !strings.Contains(out.String(), "85,520,809,984") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

// TestDeviceOfAReport: the report is about the device, and an unknown one is
// named with those like it.
func TestDeviceOfAReport(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"report", "--json", "llama-3.1-8b", "device=rtx-4090-24gb", "weights=q4_k_m", "kv-policy=llama.cpp"}, nil, &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	var r struct {
		Memory struct {
			Total struct{ Bytes, Low, High int64 }
		}
		Running struct {
			Device struct{ Memory int64 }
			Fits   string
			Time   struct{ Decode struct{ Seconds float64 } }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Running.Device.Memory != 24564<<20 || r.Running.Fits != "yes" || r.Running.Time.Decode.Seconds <= 0 {
		t.Errorf("%+v", r.Running)
	}
	if x := r.Memory.Total; x.Low > x.Bytes || x.Bytes > x.High || x.Low <= 0 {
		t.Errorf("%+v", x)
	}
	for link, want := range map[string]string{"device=h100": "did you mean", "device=RTX 4090": "did you mean rtx-4090-24gb?", "tp=3": "tp:", "devices=5": ""} {
		out.Reset()
		errs.Reset()
		code := run([]string{"report", "llama-3.1-8b", link}, nil, &out, &errs)
		if want != "" && (code != 1 || !strings.Contains(errs.String(), want)) {
			t.Errorf("%s: exit %d, %s", link, code, errs.String())
		}
		if want == "" && code != 0 {
			t.Errorf("%s: exit %d, %s", link, code, errs.String())
		}
	}
}

// TestImpossibleRuns: a key=value of a run that the model cannot have is an error
// that names it; in a link the rest is answered, and a note names it.
func TestImpossibleRuns(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"report", "llama-3.1-8b", "dp=8", "zero=3"}, 0, "the buffer that a group is gathered into, w·max(R, L)"},
		{[]string{"report", "llama-3.1-8b", "device=h100-sxm-80gb"}, 0, "with offload=optimizer"},
		{[]string{"report", "llama-3.1-8b", "device=h100-sxm-80gb"}, 0, "cost: the host makes the optimizer's step"},
		{[]string{"report", "llama-3.1-8b", "device=h100-sxm-80gb"}, 0, "as a device shows it, likely"},
		{[]string{"report", "llama-3.1-70b", "weights=q4_k_m", "device=rtx-4090-24gb", "ngl=40"}, 0, "fits, all of it on the device"},
		{[]string{"report", "llama-3.1-70b", "weights=q4_k_m", "device=rtx-4090-24gb", "ngl=40"}, 0, "with 40 of 80 layers on the device, estimated, the device holds"},
		{[]string{"report", "llama-3.1-70b", "weights=q4_k_m", "device=rtx-4090-24gb", "ngl=40"}, 0, "GB free"},
		{[]string{"report", "llama-3.1-70b", "weights=q4_k_m", "device=rtx-4090-24gb", "ngl=80"}, 0, "GB short"},
		{[]string{"report", "--json", "llama-3.1-70b", "weights=q4_k_m", "device=rtx-4090-24gb", "ngl=80"}, 0, `"short"`},
		{[]string{"report", "llama-3.1-8b", "tp=3"}, 1, "tp: does not divide the 32 heads"},
		{[]string{"count", "llama-3.1-8b", "pp=33"}, 1, "pp: there are more stages than layers"},
		{[]string{"link", "llama-3.1-8b", "ep=2"}, 1, "ep: the model has no experts"},
		{[]string{"report", "llama-3.1-8b", "devices=6", "tp=4"}, 1, "devices: tp × pp × dp = 4 × 1 × 1 = 4 is another number"},
		{[]string{"report", "llama-3.1-8b", "lora-rank=8", "lora-targets=c_attn"}, 1, "lora-targets: the model has none"},
		{[]string{"report", "mixtral-8x7b", "tp=8", "ep=8", "devices=8"}, 0, "training is not answered"},
		{[]string{"report", "mixtral-8x7b", "tp=2", "ep=8", "devices=2"}, 1, "ep: "},
		{[]string{"report", "llama-3.1-8b", "draft=99"}, 1, "draft: that is more tokens than one step can guess (given 99); allowed: 0 to 64"},
		{[]string{"fits", "device=rtx-4090-24gb", "weights=q4_k_m"}, 0, "seed-oss-36b"},
		{[]string{"fits", "device=rtx-4090-24gb", "tp=7"}, 0, "cannot be laid out or stored so"},
		{[]string{"fits", "rtx-4090-24gb"}, 2, "is not key=value"},
		{[]string{"report", "llama-3.1-8b", "batch=0"}, 1, "batch: is out of range (given 0); allowed: 1 to"},
		{[]string{"report", "llama-3.1-8b", "devices=0"}, 1, "devices: is out of range (given 0); allowed: 1 to"},
		{[]string{"report", "?v=1&batch=0"}, 0, "note: batch: is out of range (given 0); allowed: 1 to"},
		{[]string{"report", "?v=1&devices=0"}, 0, "note: devices: is out of range (given 0); allowed: 1 to"},
		{[]string{"report", "gpt2", "context=4096"}, 0, "note: context: 4,096 tokens are more than the 1,024"},
		{[]string{"report", "smollm-135m", "weights=awq-g128"}, 0, "note: weights: 180 matrices stay in bf16"},
		{[]string{"report", "llama-3.1-8b", "weights=fp8", "device=a100-sxm4-80gb"}, 0, "multiplied in bf16"},
		{[]string{"report", "?v=1&tp=3"}, 0, "note: tp: does not divide the 32 heads"},
		{[]string{"count", "?v=1&pp=33&tp=2"}, 0, "note: pp: there are more stages"},
		{[]string{"report", "?v=1&lora-rank=8&lora-targets=c_attn"}, 0, "note: lora-targets: the model has none"},
		{[]string{"report", "?v=1&tp=3", "context=100"}, 0, "note: tp: does not divide"},
		{[]string{"link", "?v=1&tp=3"}, 0, "?v=1&tp=3"},
		{[]string{"report", "?v=1&tp=3", "optimizer=lion"}, 1, "tp: does not divide"},
	} {
		var out, errs bytes.Buffer
		code := run(c.args, nil, &out, &errs)
		if said := out.String() + errs.String(); code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit %d, want %d with %q\n%s", c.args, code, c.code, c.says, said)
		}
		if c.code == 1 && out.Len() > 0 || c.code == 0 && errs.Len() > 0 {
			t.Errorf("%v: standard output %q, standard error %q", c.args, out.String(), errs.String())
		}
	}
}
