package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/compute"
	"llmsize/core/device"
)

// kernel is a measured one, and what it asks of its device, in seconds at the device's own rates.
type kernel struct {
	part, format, device      string
	read, multiplied, seconds float64
	starts                    float64 // how often it waits the least time that anything takes
}

// kernelParts are the kinds of kernels, in the order of the table.
var kernelParts = []string{"product", "step attention", "prompt attention", "experts", "all-reduce"}

// packedBytes is the bytes of an element, scales included.
var packedBytes = map[string]float64{"bf16": 2, "fp8": 1, "fp8-block": 1, "nvfp4": 0.5625, "mxfp4": 0.53125}

// kernels reads rates/kernels.txt.
func kernels(d *desk) ([]kernel, error) {
	rows, err := oracle.LoadTable(rateFiles, "rates/kernels.txt")
	if err != nil {
		return nil, err
	}
	var out []kernel
	for _, r := range rows {
		on, ok := d.devices.Find(r["device"])
		if !ok {
			return nil, fmt.Errorf("kernels.txt: no device %s", r["device"])
		}
		x := kernel{part: r["part"], format: r["format"], device: r["device"]}
		us, err := strconv.ParseFloat(r["us"], 64)
		if err != nil {
			return nil, err
		}
		var s []float64
		for f := range strings.SplitSeq(r["shape"], "x") {
			n, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return nil, fmt.Errorf("kernels.txt: %s", r["shape"])
			}
			s = append(s, n)
		}
		x.seconds = us / 1e6
		if !x.ask(on.Spec(), s) {
			continue // no source gives the rate of its link
		}
		out = append(out, x)
	}
	return out, nil
}

// ask works out what a kernel of a shape reads and multiplies; ok is false where no source gives a rate that it needs.
func (x *kernel) ask(d *device.Device, s []float64) (ok bool) {
	each, rate, bytes, flops := packedBytes[x.format], float64(d.Peak[device.BF16]), 0.0, 0.0
	x.starts = 1
	switch x.part {
	case "product": // every m reads its row, and writes one
		m, n, k := s[0], s[1], s[2]
		bytes, flops, rate = n*k*each+2*m*(n+k), 2*m*n*k, productRate(d, x.format)
	case "step attention":
		sequences, keys, heads, kv, size := s[0], s[1], s[2], s[3], s[4]
		bytes, flops = 2*sequences*keys*kv*size*each, 4*sequences*keys*heads*size
	case "prompt attention":
		sequences, keys, heads, kv, size := s[0], s[1], s[2], s[3], s[4]
		bytes, flops = 4*sequences*keys*(heads+kv)*size, 2*sequences*keys*keys*heads*size
	case "experts":
		tokens, picked, experts := s[0], s[3], s[4]
		one := 3 * s[1] * s[2] / s[5]
		bytes = experts / s[6] * compute.Coverage(int64(experts), int64(picked), int64(tokens)) * one * each
		flops, rate = 2*one*tokens*picked/s[6], productRate(d, x.format)
	case "all-reduce":
		if d.LinkRate == 0 {
			return false
		}
		x.starts, x.read = math.Log2(s[0]), 2*(s[0]-1)/s[0]*s[1]/float64(d.LinkRate)
		return true
	}
	x.read, x.multiplied = bytes/float64(d.Bandwidth), flops/rate
	return true
}

// productRate is the rate at which a device multiplies a format; of 4 bits that are widened, and of what it has no units for, that of 16 bits.
func productRate(d *device.Device, format string) float64 {
	r := d.Peak[map[string]device.Format{"fp8": device.FP8, "fp8-block": device.FP8, "nvfp4": device.FP4}[format]]
	if format == "bf16" || format == "mxfp4" || r == 0 {
		r = d.Peak[device.BF16]
	}
	return float64(r)
}

// kernelModel is what a kernel takes: the least time that anything does, and what it reads and multiplies at shares of the device's rates.
type kernelModel struct{ start, read, multiply float64 }

func (m *kernelModel) off(x *kernel) float64 {
	return math.Log((m.start*x.starts + x.read/m.read + x.multiplied/m.multiply) / x.seconds)
}

// fitKernels seeks the three constants for the least sum of absolute logarithms.
func fitKernels(list []kernel) kernelModel {
	m := kernelModel{8e-6, 0.8, 0.5}
	part := []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95}
	dials := []struct {
		at   *float64
		grid []float64
	}{{&m.start, micro(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60)}, {&m.read, part}, {&m.multiply, part}}
	cost := func() (sum float64) {
		for i := range list {
			sum += math.Abs(m.off(&list[i]))
		}
		return sum
	}
	best := cost()
	for range 6 {
		before := best
		for _, d := range dials {
			keep := *d.at
			for _, v := range d.grid {
				*d.at = v
				if c := cost(); c < best-1e-9 {
					best, keep = c, v
				}
			}
			*d.at = keep
		}
		if best > before-1e-9 {
			break
		}
	}
	return m
}

// kernelErrors is how far kernels of a part and a format lie from constants that had not seen their device, and the constants of all.
func kernelErrors(list []kernel) (off []float64, devices int, m kernelModel) {
	var names []string
	for i := range list {
		if !slices.Contains(names, list[i].device) {
			names = append(names, list[i].device)
		}
	}
	for _, name := range names {
		here := func(x kernel) bool { return x.device == name }
		seen := fitKernels(slices.DeleteFunc(slices.Clone(list), here))
		for i := range list {
			if here(list[i]) {
				off = append(off, math.Expm1(math.Abs(seen.off(&list[i]))))
			}
		}
	}
	return off, len(names), fitKernels(list)
}

// kernelTable judges the terms of predictions one by one.
func kernelTable(b *bytes.Buffer, d *desk) error {
	list, err := kernels(d)
	if err != nil {
		return err
	}
	b.WriteString(words("kernels"))
	for _, part := range kernelParts {
		groups := map[string][]kernel{}
		var order []string
		for _, x := range list {
			if x.part == part {
				if groups[x.format] == nil {
					order = append(order, x.format)
				}
				groups[x.format] = append(groups[x.format], x)
			}
		}
		slices.Sort(order)
		for _, format := range order {
			off, devices, m := kernelErrors(groups[format])
			peak := fmt.Sprintf("%.2f", m.multiply)
			if part == "all-reduce" {
				peak = ""
			}
			fmt.Fprintf(b, "| %s | %s | %d | %d | %.0f%% | %.0f%% | %.0f | %.2f | %s |\n", part, format, len(off), devices, 100*median(off), 100*quantile(off, 0.8), m.start*1e6, m.read, peak)
		}
	}
	b.WriteString(words("kernels-2"))
	return nil
}
