package report

import (
	"llmsize/core/config"
	"llmsize/core/train"
)

// inverseTree is what fits the device as JSON; what nothing bounds has no number.
func (r *Report) inverseTree(x *train.Inverse) config.Value {
	d := r.Subject.Device
	most := func(a train.Most) config.Value {
		if a.Any {
			return object("any", boolean(true))
		}
		return object("most", number(a.N), "binds", text(a.Binds), "stage", number(a.Stage))
	}
	least := func(a train.Least, value config.Value) config.Value {
		o := config.Value{Kind: config.Object}
		if a.OK {
			o = o.Set("least", value)
		}
		if a.Binds != "" {
			o = o.Set("binds", text(a.Binds))
		}
		return o
	}
	o := object("device", text(d.Slug), "memory", number(d.Memory), "fits", boolean(x.Fits), "binds", text(x.Bound),
		"micro_batch", most(x.Micro), "seq", most(x.Seq),
		"zero", least(x.Zero, number(x.Zero.N)), "recompute", least(x.Recompute, text(train.Recomputes[x.Recompute.N])))
	if x.DevicesOK {
		o = o.Set("devices", layoutTree(&x.Devices).Set("cp", number(max(x.Devices.CP, 1))))
	}
	return o
}
