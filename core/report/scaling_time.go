package report

import (
	"llmsize/core/compute"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/units"
)

// TrainingTime is how long a run takes on the query's devices, at the utilisation
// that the query names, or at the rate that was measured.
//
//	t = F / (n · peak · MFU),  or  t = D / (n · rate)
//
// with F the run's model FLOPs under the query's convention for scores, n devices
// and D tokens. A run with restarts and evaluation takes longer. Energy is what
// the boards may draw at most, t · n · watts: without hosts, network and cooling.
type TrainingTime struct {
	Devices  int64   // accelerators
	Peak     float64 // dense FLOPs a second of one, in Format
	Format   string
	Share    float64 // of the peak: model FLOPs utilisation
	Hardware float64 // with what is computed again: hardware FLOPs utilisation
	Rate     int64   // tokens a second of one device, measured; 0 when the share is the query's
	Seconds  units.Seconds
	Watts    int64 // of one device; 0 where no source gives it
}

// Energy is the run's, in watt-hours; 0 where no source gives a device's power.
func (t *TrainingTime) Energy() float64 {
	return float64(float64(t.Seconds)/3600*float64(t.Devices)) * float64(t.Watts)
}

// Hours is device hours.
func (t *TrainingTime) Hours() float64 { return float64(t.Seconds) / 3600 * float64(t.Devices) }

// trainingTime works out the run's time. It is empty without a device whose peak
// is known.
func (r *Report) trainingTime() TrainingTime {
	d, q, run := r.Subject.Device, &r.Query, &r.Compute.Train
	if d == nil || run.FLOPs <= 0 {
		return TrainingTime{}
	}
	format := "bf16"
	switch q.Get(query.Precision) {
	case "fp32":
		format = "fp32"
	case "fp16-mixed":
		format = "fp16"
	}
	peak, at := d.Rate(format)
	if peak == 0 {
		return TrainingTime{}
	}
	devices, ok := units.Mul(q.Int(query.Devices), d.Count)
	if !ok {
		return TrainingTime{} // running says why
	}
	t := TrainingTime{Devices: devices, Peak: float64(peak), Format: at.String(), Rate: q.Int(query.Rate), Watts: d.Power}
	if !q.Has(query.Devices) { // a layout says how many there are
		laid := 1.0
		for _, p := range [...]query.Param{query.TP, query.PP, query.CP} {
			laid = float64(laid * float64(q.Int(p)))
		}
		laid = float64(laid * float64(parts(q)))
		if laid > query.MaxCount {
			return TrainingTime{} // no layout has that many: training says why
		}
		t.Devices = max(t.Devices, int64(laid))
	}
	n := float64(t.Devices)
	if t.Rate > 0 {
		t.Share = float64(float64(t.Rate)*float64(run.FLOPs/units.FLOPs(run.Tokens))) / t.Peak
		t.Seconds = units.Seconds(float64(run.Tokens) / float64(n*float64(t.Rate)))
		if t.Share > 1 {
			r.Warnings = append(r.Warnings, fault.Warning{Field: query.About(query.Rate).Name, Text: "the device cannot be as fast: " + units.Params(whole(t.Share*100)).Short() + "% of its peak in " + t.Format})
		}
	} else {
		t.Share = float64(q.Int(query.MFU)) / 100
		t.Seconds = units.Seconds(float64(run.FLOPs) / float64(float64(n*t.Peak)*t.Share))
	}
	t.Hardware = float64(t.Share * float64(run.Hardware/run.FLOPs))
	return t
}

// Utilisation is the share of the peak that a measured rate comes to by a
// convention: MFU, or HFU where the convention counts what is computed again. It
// is 0 without a measured rate, and for a forward pass alone.
func (run *TrainingRun) Utilisation(c *compute.Convention) float64 {
	t := &run.Time
	if t.Rate == 0 || c.Pass == "forward" {
		return 0
	}
	return compute.Utilisation(float64(t.Rate), c.Token, t.Peak)
}

// tree is the run's time as JSON.
func (t *TrainingTime) tree() jsonout.Value {
	o := object("devices", number(t.Devices), "peak_flops_per_second", number(int64(t.Peak)), "format", text(t.Format),
		"mfu_percent", thousandths(100*t.Share), "hfu_percent", thousandths(100*t.Hardware),
		"seconds", thousandths(float64(t.Seconds)), "device_hours", thousandths(t.Hours()))
	if t.Rate > 0 {
		o = o.Set("measured_tokens_per_second", number(t.Rate))
	}
	if t.Watts > 0 {
		o = o.Set("board_watts", number(t.Watts)).Set("watt_hours", thousandths(t.Energy()))
	}
	return o
}
