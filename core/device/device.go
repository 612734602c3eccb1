// Package device says what a device is: plain figures, and the rules for
// reading them. The data itself is content/devices, one file for each device;
// a host reads one and hands it to core/report.
//
// # Which figure is taken
//
// Memory is what the device reports to software, in bytes: nvidia-smi's total,
// for instance. Where no report was found the label is taken, as decimal
// gigabytes; every report found so far is at least that, so a model that fits by
// the label fits the device. Makers that document GiB are taken at their word.
//
// Bandwidth is what the maker states; of two figures of the maker's the larger,
// because time is shown as a bound. Peaks are dense, with fp32 accumulation unless
// the format says otherwise, and never the figure for sparse matrices, which is twice as high. A link's rate is
// in one direction, for one accelerator.
//
// A figure is the maker's own, the device's own output, a figure that somebody
// gives beside the name of the maker's document, or one that two independent
// tables agree on. Others are left out; a device may lack a peak.
package device

import (
	"llmsize/core/config"
	"llmsize/core/fault"
)

// Format is what a device multiplies.
type Format uint8

// The formats, widest first.
const (
	FP32 Format = iota // vector units
	TF32
	BF16
	FP16
	FP8
	INT8
	FP4
	Half // fp16 with fp16 sums, which consumer cards multiply faster than with fp32 sums
	NumFormats
)

var formatNames = [NumFormats]string{"fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4", "fp16-fp16"}

// String is the format's name in the data: "bf16".
func (f Format) String() string { return formatNames[f] }

// Device is an accelerator, or a system of Count equal ones. Memory, Bandwidth,
// Peak, LinkRate and Power are those of one accelerator.
type Device struct {
	Slug, Name, Maker, Kind string
	Count                   int64             // 1, or as many as the system holds
	Memory                  int64             // bytes
	Known                   string            // how Memory is known: "reported", "label", "label in GiB"
	Bandwidth               int64             // bytes a second
	Peak                    [NumFormats]int64 // dense operations a second; 0 where no source gives it
	Link                    string            // "NVLink 4"; empty when no source gives its rate
	LinkRate                int64             // bytes a second, one direction; 0 when not known
	Power                   int64             // watts, the most that the board may draw; 0 where no source gives it
	Note                    string
}

// Rate returns the fastest peak that may serve weights of that format, and whose
// it is; 0 where none is known. Formats whose weights are widened before they
// are multiplied (GGUF's blocks, 4-bit integers with 16-bit activations) run at
// the 16-bit rate.
func (d *Device) Rate(weights string) (int64, Format) {
	for _, f := range ladder(weights) {
		if d.Peak[f] > 0 {
			return d.Peak[f], f
		}
	}
	return 0, BF16
}

// Wanted is the format in which weights of a format would best be multiplied; a
// device that lacks it takes the next of Rate's.
func Wanted(weights string) Format { return ladder(weights)[0] }

// ladder is the formats that may multiply weights of a format, best first.
func ladder(weights string) []Format {
	switch weights {
	case "fp32":
		return []Format{TF32, FP32}
	case "fp16", "f16":
		return []Format{FP16, BF16}
	case "fp8", "fp8-block", "mxfp8":
		return []Format{FP8, BF16, FP16}
	case "int8", "w8a8", "llm-int8":
		return []Format{INT8, BF16, FP16}
	case "mxfp4", "nvfp4":
		return []Format{FP4, FP8, BF16, FP16}
	}
	return []Format{BF16, FP16}
}

// Parse reads a device's JSON, as content/devices has it; of is the device that
// a system is made of, nil for a device. The error names the field.
func Parse(v *config.Value, of *Device) (*Device, *fault.Error) {
	d := &Device{Count: 1}
	if of != nil {
		*d = *of
		d.Count = 1
	}
	d.Slug, d.Name, d.Maker = v.Get("slug").Text, v.Get("name").Text, v.Get("maker").Text
	d.Kind, d.Note = v.Get("kind").Text, v.Get("note").Text
	if d.Slug == "" || d.Name == "" {
		return nil, missing("slug")
	}
	if c := at(v, "of", "count"); c.Kind != config.Absent {
		n, ok := c.Int()
		if !ok || n < 1 {
			return nil, missing("of.count")
		}
		d.Count = n
	}
	positive(&d.Memory, at(v, "memory", "bytes"))
	if s := at(v, "memory", "what"); s.Text != "" {
		d.Known = s.Text
	}
	positive(&d.Bandwidth, at(v, "bandwidth", "bytes_per_second"))
	for f, name := range formatNames {
		positive(&d.Peak[f], at(at(v, "peak", name), "per_second"))
	}
	if l := v.Get("link"); l.Kind == config.Object {
		d.Link = l.Get("name").Text
		positive(&d.LinkRate, l.Get("bytes_per_second"))
	}
	positive(&d.Power, at(v, "power", "watts"))
	if d.Memory == 0 {
		return nil, missing("memory.bytes")
	}
	if d.Bandwidth == 0 {
		return nil, missing("bandwidth.bytes_per_second")
	}
	return d, nil
}

// at descends into an object; it is absent where the path is.
func at(v *config.Value, path ...string) *config.Value {
	for _, p := range path {
		v = v.Get(p)
	}
	return v
}

func positive(to *int64, v *config.Value) {
	if n, ok := v.Int(); ok && n > 0 {
		*to = n
	}
}

func missing(field string) *fault.Error {
	return &fault.Error{Field: "device." + field, Problem: "the device's data lack it"}
}
