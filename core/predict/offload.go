package predict

import (
	"llmsize/core/jsonout"
	"llmsize/core/model"
	"llmsize/core/query"
)

// Offloaded is a run of which a part stays on the host, as llama.cpp's -ngl and -ncmoe leave it there. Layers are taken to be
// alike, so bytes are an estimate. Few runs of this kind are public, so they judge (build/accuracy/offload.txt) and fit nothing, and
// times have no band.
type Offloaded struct {
	Layers, OnDevice  int64   // of the model; those that run on the device
	Device, Host      float64 // bytes of weights and cache on each side
	Embedding         float64 // of Host: the table that is looked up, which llama.cpp always keeps there
	Fits              bool    // the device's side, by its memory
	Bound             float64 // tokens a second at most: each side reads its own, one after the other
	Likely            float64 // tokens a second, by what the engine reaches on the device and llama.cpp on a processor; 0: not known
	Reading, Computed float64 // seconds of a step on the host, on the device
	Crossing          float64 // seconds in which hidden states cross the link between them; 0 where no source gives its rate
}

// offload divides a run between the device and its host. llama.cpp keeps the last -ngl layers on the device, and the LM head where
// there are more than the model has; -ncmoe keeps the experts of the first layers on the host.
func (x *asked) offload(l *Library) {
	q, a, w := &x.r.Query, x.a, *x.w
	if x.r.Running.Layout.Devices() > 1 {
		a.Missing = append(a.Missing, "offload to the host is predicted for one device only")
		return
	}
	f := &Offloaded{Layers: int64(w.Layers)}
	f.OnDevice = f.Layers
	head := true
	if q.Has(query.OnDevice) {
		n := q.Int(query.OnDevice)
		head, f.OnDevice = n > f.Layers, min(n, f.Layers)
	}
	part := float64(float64(f.OnDevice) / float64(max(f.Layers, 1)))
	embedding, lm := tables(x.r.Model)
	bytes := float64(float64(x.r.Weights.Bytes) / float64(max(x.r.Weights.Elements, 1)))
	headBytes := float64(min(float64(lm*bytes), w.Always))
	f.Embedding = float64(embedding * bytes)
	inLayers := float64(w.Always - headBytes)
	sequences := float64(q.Int(query.Batch))
	cache := float64(w.Held(q.Int(query.Context)) * sequences)
	// Experts on the host are those of layers below the device's, and of the first few.
	moe := float64(min(q.Int(query.ExpertsOnHost), f.Layers)) / float64(max(f.Layers, 1))
	hostExperts := max(moe, 1-part)
	f.Device = float64(float64(inLayers*part) + float64(w.Experts*(1-hostExperts)) + float64(cache*part))
	f.Host = float64(f.Embedding + float64(inLayers*(1-part)) + float64(w.Experts*hostExperts) + float64(cache*(1-part)))
	headOn := 0.0
	if head {
		headOn = 1
	}
	f.Device = float64(f.Device + float64(headBytes*headOn))
	f.Host = float64(f.Host + float64(headBytes*(1-headOn)))
	f.Fits = f.Device < float64(x.r.Running.Device.Memory)
	// A step works on each side with what is there, one side after the other: on the device as the engine does, on the host as
	// llama.cpp does on a processor, from memory at the rate that the question names.
	here, there := w, w
	here.Always, here.Experts, here.Launches = float64(float64(inLayers*part)+float64(headBytes*headOn)), float64(w.Experts*(1-hostExperts)), float64(w.Launches*part)
	there.Always, there.Experts, there.Launches = float64(float64(inLayers*(1-part))+float64(headBytes*(1-headOn))), float64(w.Experts*hostExperts), float64(w.Launches*hostExperts)
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

// tables is the elements of the embedding and of the LM head; of a tied model both are the same table, which llama.cpp then holds twice.
func tables(m *model.Model) (embedding, head float64) {
	tied := false
	m.EachUsed(func(_ *model.Block, _ *model.Kind, _ *model.Part, t *model.Tensor, layers int64) {
		n := float64(t.Params(layers))
		switch t.Role {
		case model.Embedding:
			embedding = float64(embedding + n)
		case model.Head:
			tied = tied || t.TiedTo != ""
			if t.TiedTo == "" {
				head = float64(head + n)
			}
		}
	})
	if tied {
		head = embedding
	}
	return embedding, head
}

func (f *Offloaded) tree() jsonout.Value {
	o := jsonout.Object("layers_on_device", jsonout.Int(f.OnDevice), "layers", jsonout.Int(f.Layers),
		"device_bytes", jsonout.Int(int64(f.Device)), "host_bytes", jsonout.Int(int64(f.Host)), "embedding_bytes", jsonout.Int(int64(f.Embedding)), "fits", jsonout.Bool(f.Fits), "status", jsonout.Text("estimate"),
		"bound", jsonout.Object("tokens_per_second", digits(f.Bound)))
	if f.Likely > 0 {
		o = o.Set("likely", jsonout.Object("tokens_per_second", digits(f.Likely)))
	}
	return o
}
