package report_test

import (
	"testing"

	"llmsize/core/device"
	"llmsize/core/query"
)

// TestTypedDevice: a device that is not listed, typed, takes the place of the one that the question names. Eight bytes of
// cache aside, a step reads 16.06 GB of Llama 3.1 8B's weights in 16 bits without the embedding, so at 100 GB/s it takes
// at least 0.15 s.
func TestTypedDevice(t *testing.T) {
	q, issues, err := query.Parse("v=1&context=16&memory=24B&bandwidth=100B&peak=50T")
	if err != nil || len(issues) > 0 {
		t.Fatal(err, issues)
	}
	if got := q.String(); got != "v=1&context=16&memory=24000000000&bandwidth=100000000000&peak=50000000000000" {
		t.Error(got)
	}
	r, err := about(t, q)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Running.Device
	if d == nil || d.Memory != 24e9 || d.Bandwidth != 100e9 || d.Peak[device.BF16] != 50e12 || d.Slug != "" {
		t.Fatalf("%+v", d)
	}
	if s := r.Running.Speed.Decode.Seconds; s < 0.14 || s > 0.16 {
		t.Errorf("a step takes %g s", s)
	}
	if r.Running.Fits != "yes" {
		t.Errorf("16 GB of weights on 24 GB: %s", r.Running.Fits)
	}
}
