package predict

import (
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/report"
)

// Offloaded is a run of which a part stays on the host, as llama.cpp's -ngl and -ncmoe leave it there. Few runs of this kind are public,
// so they judge (build/accuracy/offload.txt) and fit nothing, and times have no band.
type Offloaded struct {
	*report.Sides
	Room              int64   // bytes of the device
	Whole             int64   // that a device would hold if nothing stayed on the host
	WholeFits         string  // as [report.Running]'s Fits
	Bound             float64 // tokens a second at most: each side reads its own, one after the other
	Likely            float64 // tokens a second, by what the engine reaches on the device and llama.cpp on a processor; 0: not known
	Reading, Computed float64 // seconds of a step on the host, on the device
	Crossing          float64 // seconds in which hidden states cross the link between them; 0 where no source gives its rate
}

// offload says how fast both sides of a run are.
func (x *asked) offload(l *Library) {
	q, a, w := &x.r.Query, x.a, *x.w
	if x.r.Running.Layout.Devices() > 1 {
		a.Missing = append(a.Missing, "offload to the host is predicted for one device only")
		return
	}
	f := &Offloaded{Sides: x.r.Sides(), Room: x.r.Running.Device.Memory, Whole: x.r.Running.Fullest.Total.Bytes, WholeFits: x.r.Running.Fits}
	part, hostExperts := f.Part, f.HostExperts
	sequences := float64(q.Int(query.Batch))
	// A step works on each side with what is there, one side after the other: on the device as the engine does, on the host as
	// llama.cpp does on a processor, from memory at the rate that the question names.
	here, there := w, w
	here.Always, here.Experts, here.Launches = float64(float64(f.InLayers*part)+f.Head), float64(w.Experts*(1-hostExperts)), float64(w.Launches*part)
	there.Always, there.Experts, there.Launches = float64(float64(f.InLayers*(1-part))+f.HostHead), float64(w.Experts*hostExperts), float64(w.Launches*hostExperts)
	there.Bandwidth = float64(q.Int(query.HostBandwidth))
	each := w.Cache(q.Int(query.Context))
	// A hidden state in 32 bits goes to the other side and back, once for the layers there, and for each layer whose experts stay.
	if link := float64(x.r.Running.Device.LinkRate); link > 0 {
		times := 1.0
		if w.Experts > 0 {
			times = max(float64(hostExperts*w.Layers)-float64(float64(1-part)*w.Layers), 1)
		}
		f.Crossing = float64(2 * 4 * times * w.Hidden * sequences / link)
	}
	perfect := Step{Share: 1, Cache: 1, Experts: 1}
	f.Bound = float64(1 / float64(float64(here.Decode(&perfect, sequences, float64(each*part), 0)+there.Decode(&perfect, sequences, float64(each*(1-part)), 0))+f.Crossing))
	processor := l.Engine("llama.cpp-cpu")
	if processor == nil {
		processor = x.e
	}
	if s, h := &x.e.Step, &processor.Step; s.Share > 0 && h.Share > 0 {
		f.Computed = here.Decode(s, sequences, float64(each*part), x.rate)
		if c := x.pick(x.e.Decode); c != nil {
			f.Computed = float64(f.Computed * c.Factor)
		}
		f.Reading = there.Decode(h, sequences, float64(each*(1-part)), 0)
		f.Likely = float64(1 / float64(float64(f.Computed+f.Reading)+f.Crossing))
		a.Sources = append(a.Sources, processor.Sources...)
	}
	a.Offloaded = f
	a.Missing = append(a.Missing, "prompts, users, their cost and what was measured: with layers on the host decoding alone is estimated")
	a.Beyond = append(a.Beyond, "layers on the host: an estimate without a band, from the engine's runs on devices and llama.cpp's on processors")
}

func (f *Offloaded) tree() jsonout.Value {
	side := jsonout.Object("bytes", jsonout.Int(f.Holds.Bytes), "low", jsonout.Int(f.Holds.Low), "high", jsonout.Int(f.Holds.High), "fits", jsonout.Text(f.Fits))
	if free, short := f.Free(f.Room); short > 0 {
		side = side.Set("short", jsonout.Int(short))
	} else {
		side = side.Set("free", jsonout.Int(free))
	}
	o := jsonout.Object("layers_on_device", jsonout.Int(f.OnDevice), "layers", jsonout.Int(f.Layers),
		"device_bytes", jsonout.Int(int64(f.Device)), "host_bytes", jsonout.Int(int64(f.Host)), "embedding_bytes", jsonout.Int(int64(f.Embedding)),
		"fits", jsonout.Bool(f.Fits == "yes"), "device", side, "whole", jsonout.Object("bytes", jsonout.Int(f.Whole), "fits", jsonout.Text(f.WholeFits)), "status", jsonout.Text("estimate"),
		"bound", jsonout.Object("tokens_per_second", digits(f.Bound)))
	if f.Likely > 0 {
		o = o.Set("likely", jsonout.Object("tokens_per_second", digits(f.Likely)))
	}
	return o
}
