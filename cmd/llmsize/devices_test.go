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
		Memory  struct{ Total struct{ Bytes, Low, High int64 } }
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
	for link, want := range map[string]string{"device=h100": "did you mean", "tp=3": "tp:", "devices=5": ""} {
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
