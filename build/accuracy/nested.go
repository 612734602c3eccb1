package accuracy

import (
	"bytes"
	"math"
)

// tried are the pulls that nested tries, each for all three.
var tried = []float64{0, 0.2, 0.5, 1, 2}

// nested leaves each device out and chooses the pulls by leaving the others out in turn, so that nothing of the device decides: the
// errors of predictions whose every choice was made without it. It takes minutes.
func nested() ([]byte, error) {
	d, err := newFitDesk()
	if err != nil {
		return nil, err
	}
	runs, _, err := d.load()
	if err != nil {
		return nil, err
	}
	before := pull
	defer func() { pull = before }()
	var all [kinds][]held
	for _, t := range titles {
		mine := without(runs, func(x *run) bool { return x.engine != t.name })
		if len(without(mine, func(x *run) bool { return !x.fit })) == 0 {
			continue
		}
		group, relatives := mine, mine
		if t.group != "" {
			group = without(runs, func(x *run) bool { return groupOf(x.engine) != t.group })
			relatives = group
		}
		if t.kin != "" {
			relatives = without(runs, func(x *run) bool { return kinOf(x.engine) != t.kin })
		}
		// What each pull gives on each device, by kind: fits that have not seen the device, so they serve both as the inner errors of the
		// other devices' choices and, where a pull is chosen without the device, as its prediction. The inner fits do know the device that
		// the choice is for; its runs are one device's of several.
		results := make([][kinds][]held, len(tried))
		for i, p := range tried {
			pull = pulls{p, p, p}
			results[i] = leave(mine, group, relatives)
		}
		for k := range kinds {
			for _, d := range devicesOf(of(mine, k)) {
				best, least := 0, math.Inf(1)
				for i := range tried {
					var off []float64
					for _, h := range results[i][k] {
						if h.device != d {
							off = append(off, math.Abs(h.log))
						}
					}
					if m := median(off); len(off) > 0 && m < least {
						best, least = i, m
					}
				}
				for _, h := range results[best][k] {
					if h.device == d {
						all[k] = append(all[k], h)
					}
				}
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("# Errors where the pulls too are chosen without the device: by the errors on the other devices. Written by go run ./build calibrate -nested.\n")
	b.WriteString("kind\tengine\truns\tdevices\tmedian_error\teight_of_ten_within\tinside_bands\n")
	for k := range kinds {
		line(&b, kindNames[k], "all", all[k])
	}
	return b.Bytes(), nil
}
