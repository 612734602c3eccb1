package report

import (
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Sides is where a run's bytes lie when a part of it stays on the host, as llama.cpp's -ngl and -ncmoe leave it there. Layers are
// taken to be alike, so bytes are an estimate.
type Sides struct {
	Layers, OnDevice  int64       // of the model; those that run on the device
	Kept              int64       // layers whose experts stay on the host, the first ones; 0 without experts
	Part, HostExperts float64     // of the layers, that runs on the device; of the experts, that stays on the host
	InLayers, Experts float64     // bytes of weights that every step reads, in layers; of all experts
	Head              float64     // bytes of the LM head, where it runs on the device: else 0
	HostHead          float64     // the same on the host
	Embedding         float64     // bytes of the table that is looked up, which llama.cpp always keeps on the host
	Device, Host      float64     // bytes of weights and cache on each side
	DeviceCache       float64     // of them, the cache's
	HostCache         float64     // the same on the host
	Holds             memory.Term // all of the device's side: beside weights and cache what a device holds anyway (activations, logits or buffers, the runtime)
	Fits              string      // whether the device has room for it: as [Running.Fits]
}

// Sides is nil where nothing stays on the host, where nothing is run, and on several devices. It is worked out at each call. llama.cpp
// keeps the last -ngl layers on the device, and the LM head where there are more than the model has; -ncmoe keeps the experts of the first layers on the host.
func (r *Report) Sides() *Sides {
	q, x := &r.Query, &r.Running
	if x.Device == nil || x.Fullest == nil || x.Layout.Devices() > 1 || !q.Has(query.OnDevice) && !q.Has(query.ExpertsOnHost) {
		return nil
	}
	s := &Sides{Layers: written(r.Model), Experts: x.Speed.Experts}
	s.OnDevice = s.Layers
	head := true
	if q.Has(query.OnDevice) {
		n := q.Int(query.OnDevice)
		head, s.OnDevice = n > s.Layers, min(n, s.Layers)
	}
	s.Part = float64(float64(s.OnDevice) / float64(max(s.Layers, 1)))
	embedding, lm, tied := tables(r.Model)
	each := float64(float64(r.Weights.Bytes) / float64(max(r.Weights.Elements, 1)))
	lm = float64(min(float64(lm*each), x.Speed.Always))
	s.Embedding = float64(embedding * each)
	s.InLayers = float64(x.Speed.Always - lm)
	// What no step reads, such as a tower of images, is on the device, where a program that knows it puts it.
	rest := float64(float64(r.Weights.Bytes) - float64(x.Speed.Always+x.Speed.Experts))
	if !tied {
		rest = float64(rest - s.Embedding)
	}
	cache := 0.0
	for i := range x.Fullest.Terms {
		switch t := &x.Fullest.Terms[i]; t.What {
		case "weights":
		case "cache":
			cache = float64(t.Bytes)
		default:
			s.Holds.Bytes, s.Holds.Low, s.Holds.High = s.Holds.Bytes+t.Bytes, s.Holds.Low+t.Low, s.Holds.High+t.High
		}
	}
	if s.Experts > 0 {
		s.Kept = min(q.Int(query.ExpertsOnHost), s.Layers)
	}
	// Experts on the host are those of layers below the device's, and of the first few.
	s.HostExperts = max(float64(float64(s.Kept)/float64(max(s.Layers, 1))), 1-s.Part)
	s.DeviceCache, s.HostCache = float64(cache*s.Part), float64(cache*(1-s.Part))
	s.Device = float64(float64(s.InLayers*s.Part) + float64(s.Experts*(1-s.HostExperts)) + s.DeviceCache + max(rest, 0))
	s.Host = float64(s.Embedding + float64(s.InLayers*(1-s.Part)) + float64(s.Experts*s.HostExperts) + s.HostCache)
	if head {
		s.Head = lm
	} else {
		s.HostHead = lm
	}
	s.Device, s.Host = float64(s.Device+s.Head), float64(s.Host+s.HostHead)
	s.Holds.What, s.Holds.Status = "device", memory.Estimate
	n := int64(s.Device)
	s.Holds.Bytes, s.Holds.Low, s.Holds.High = s.Holds.Bytes+n, s.Holds.Low+n, s.Holds.High+n
	s.Fits = s.Holds.Fits(x.Device.Memory)
	return s
}

// How says what stays where: "40 of 80 layers on the device", "the experts of 36 layers on the host".
func (s *Sides) How() string {
	layers := units.Group(s.OnDevice) + " of " + units.Group(s.Layers) + " layers on the device"
	switch kept := "the experts of " + units.Group(s.Kept) + " layers on the host"; {
	case s.Kept <= s.Layers-s.OnDevice:
		return layers
	case s.OnDevice == s.Layers:
		return kept
	default:
		return layers + " and " + kept
	}
}

// FitWords is an answer of [memory.Term.Fits] in a sentence: "fits".
func FitWords(answer string) string {
	switch answer {
	case "yes":
		return "fits"
	case "no":
		return "does not fit"
	}
	return "may fit"
}

// Free is how many bytes of the device are left over beside its side; short how many it lacks. One of them is 0.
func (s *Sides) Free(room int64) (free, short int64) {
	return max(room-s.Holds.Bytes, 0), max(s.Holds.Bytes-room, 0)
}

// written is how many layers a token that is written passes through: layers of towers see images or sound before.
func written(m *model.Model) (n int64) {
	for b, k := range m.Kinds() {
		if b.Index != "" && len(b.Pattern) > 0 && !k.Tower() {
			n += k.Count
		}
	}
	return n
}

// tables is the elements of the embedding and of the LM head; of a tied model both are the same table, which llama.cpp then holds twice.
func tables(m *model.Model) (embedding, head float64, tied bool) {
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
	return embedding, head, tied
}
