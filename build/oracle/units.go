package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/work"
)

// Unit is what torch counted for one picture, sound, clip or window: a flops line of core/compute/testdata/pictures.txt.
type Unit struct {
	Config string
	Of     string // "640x480" pixels, "7.31" seconds, or "window"
	FLOPs  float64
}

// ParseUnit reads a flops line. ok is false for a line of another kind, which has no error.
func ParseUnit(line string) (u Unit, ok bool, err error) {
	f := strings.Split(strings.TrimSpace(line), "\t")
	if f[0] != "flops" {
		return Unit{}, false, nil
	}
	if len(f) != 4 {
		return Unit{}, false, fmt.Errorf("%.100s: %d fields, want 4", line, len(f))
	}
	n, err := strconv.ParseFloat(f[3], 64)
	return Unit{Config: f[1], Of: f[2], FLOPs: n}, err == nil, err
}

// asked is the unit as a family is asked for it.
func (u *Unit) asked() (unit family.Unit, kind compute.Kind, err error) {
	if w, h, picture := strings.Cut(u.Of, "x"); picture {
		unit.Width, err = strconv.ParseInt(w, 10, 64)
		if err == nil {
			unit.Height, err = strconv.ParseInt(h, 10, 64)
		}
		return unit, compute.Picture, err
	}
	if u.Of == "window" {
		return unit, compute.Series, nil
	}
	seconds, err := strconv.ParseFloat(u.Of, 64)
	unit.Millis = int64(math.Round(1000 * seconds))
	return unit, compute.Sound, err
}

// Counted is what we count for the unit. problem says why none is counted; said is the first key that is warned about.
func (u *Unit) Counted(lib *family.Library) (flops float64, said, problem string) {
	unit, kind, err := u.asked()
	if err != nil {
		return 0, "", err.Error()
	}
	cfg, fail := config.ParseObject(u.Config)
	if fail != nil {
		return 0, "", fail.Error()
	}
	m, fail := family.DescribeFor(cfg, lib, work.New(0), unit)
	if fail != nil {
		return 0, "", fail.Error()
	}
	if len(m.Warnings) > 0 {
		said = m.Warnings[0].Field
	}
	seen, ok := compute.UnitOf(m, kind, unit.Height, unit.Width)
	_, flops, _, unknown := compute.Seen(m, seen)
	switch {
	case !ok:
		return 0, said, "no such unit"
	case unknown != "":
		return 0, said, "no number for " + unknown
	}
	return flops, said, ""
}
