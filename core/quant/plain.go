// Package quant knows number formats: how many bytes a tensor takes in each.
//
// A plain format gives every parameter the same number of bits, with no scales
// beside them.
package quant

// Plain is a format in which every element takes the same number of bits.
type Plain struct {
	Name string // as queries name it
	Bits int64  // per element
	Text string // for people
}

var plains = []Plain{
	{"fp32", 32, "32-bit float (IEEE 754 binary32)"},
	{"bf16", 16, "bfloat16: 8 bits of exponent, 7 of fraction"},
	{"fp16", 16, "16-bit float (IEEE 754 binary16)"},
	{"fp8", 8, "8-bit float, without scales"},
	{"int8", 8, "8-bit integer, without scales"},
}

// PlainNamed returns a plain format.
func PlainNamed(name string) (Plain, bool) {
	for _, p := range plains {
		if p.Name == name {
			return p, true
		}
	}
	return Plain{}, false
}

// FromDType returns the plain format for a config's torch_dtype ("bfloat16",
// "torch.float16"), and whether it names one.
func FromDType(dtype string) (string, bool) {
	if len(dtype) > 6 && dtype[:6] == "torch." {
		dtype = dtype[6:]
	}
	switch dtype {
	case "float32", "float":
		return "fp32", true
	case "bfloat16":
		return "bf16", true
	case "float16", "half":
		return "fp16", true
	case "float8_e4m3fn", "float8_e5m2":
		return "fp8", true
	}
	return "", false
}

// Plains lists the plain formats.
func Plains() []Plain { return plains }
