package accuracy

import (
	"bytes"
	"math"
)

// tried are the pulls that nested tries, each for all three.
var tried = []float64{0, 0.2, 0.5, 1, 2}

// nested leaves each device out and chooses the pulls by leaving the others out in turn, over all engines, so that nothing of the device
// decides: the errors of predictions whose every choice was made without it. It takes a few seconds.
func nested() ([]byte, error) {
	runs, _, err := loadRuns()
	if err != nil {
		return nil, err
	}
	before := pull
	defer func() { pull = before }()
	// What each pull gives on each device, by kind and engine: fits that have not seen the device, so they serve both as the inner errors
	// of the other devices' choices and, where a pull is chosen without the device, as its prediction. The inner fits do know the device
	// that the choice is for; its runs are one device's of several.
	parties := partiesOf(runs)
	results := make([][][kinds][]held, len(tried))
	for i, p := range tried {
		pull = pulls{p, p, p}
		for _, q := range parties {
			results[i] = append(results[i], leave(q.runs, q.group, q.relatives, onDevice))
		}
	}
	var all [kinds][]held
	for k := range kinds {
		var pooled []held
		chosen := make([][]held, len(parties))
		for j, q := range parties {
			if q.name == everyProgram {
				continue
			}
			for _, d := range devicesOf(of(q.runs, k)) {
				i := choose(results, k, d)
				for _, h := range results[i][j][k] {
					if h.device == d {
						chosen[j] = append(chosen[j], h)
					}
				}
			}
			pooled = append(pooled, chosen[j]...)
		}
		for j, q := range parties {
			bands := bandsOf(chosen[j], pooled, nil, nil, len(devicesOf(of(q.runs, k))))
			for _, h := range chosen[j] {
				h.judge(bands)
				all[k] = append(all[k], h)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("# Errors where the pulls too are chosen without the device: by the errors on the other devices. Written by go run ./build calibrate -nested.\n")
	b.WriteString(columns)
	for k := range kinds {
		line(&b, kindNames[k], "all", all[k])
	}
	return b.Bytes(), nil
}

// choose is which of the tried pulls leaves a kind's runs on all devices but one the least mean of absolute logarithms, which is what
// the fit itself makes small.
func choose(results [][][kinds][]held, k kind, device string) int {
	best, least := 0, math.Inf(1)
	for i := range results {
		sum := 0.0
		for j := range results[i] {
			for _, h := range results[i][j][k] {
				if h.device != device && h.engine != everyProgram {
					sum += math.Abs(h.log)
				}
			}
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return best
}
