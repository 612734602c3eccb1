package predict

import (
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Measured is what a reader's own rate of decoding says.
type Measured struct {
	Rate   float64 // tokens a second of each sequence
	Share  float64 // of the bound
	MFU    float64 // of the devices' peak, by the products and scores of a token; 0 where no peak is known
	Faster float64 // the share of runs that reach less of their bound, whatever their models and contexts; below 0: no runs to stand among
	Among  Class   // whose runs
	Place  Place   // beside the band that is predicted for this very question
	Host   float64 // bytes of weights that, read from the host's memory, would make it as slow; 0: it is not slow, or they would be more than there are
	Causes []string
}

// Place is where a measured rate lies.
type Place string

// The places of a rate. Where no band is predicted, a rate that its bound allows has none.
const (
	Impossible Place = "impossible" // past what memory and arithmetic allow
	Above      Place = "above"      // the band
	Inside     Place = "inside"
	Below      Place = "below"
)

// lone is how many sequences a device decodes at once where runs of one sequence still say something of it.
const lone = 8

// measured sets a reader's rate beside the bound, the prediction and public runs.
func (x *asked) measured() {
	q, a := &x.r.Query, x.a
	rate := q.Amount(query.Measured)
	if rate == 0 || a.Bounds.Decode.Seconds <= 0 {
		return
	}
	m := &Measured{Rate: rate, Share: float64(rate * a.Bounds.Decode.Seconds), Faster: -1}
	if p := a.Bounds.Rate; p > 0 {
		m.MFU = float64(float64(x.r.Running.Speed.Decode.FLOPs*rate) / float64(p*x.w.TP))
	}
	if c := x.among(); c != nil && float64(q.Int(query.Batch)) <= float64(lone*x.w.DP) {
		m.Faster, m.Among = stands(c.Reached, m.Share), *c
	}
	a.Measured = m
	switch d := a.Decode; {
	case m.Share > 1:
		m.Place = Impossible
		m.Causes = append(m.Causes, "a total over several sequences, draft tokens, or weights in a narrower format than the question's")
	case d == nil || d.Low >= d.High: // of which nobody knows how far runs scatter
	case rate > d.High:
		m.Place = Above
		m.Causes = append(m.Causes, "draft tokens, a shorter context, or weights in a narrower format than the question's", "higher clocks, or a newer version of "+a.Title+" than that of the public runs")
	case rate >= d.Low:
		m.Place = Inside
	default:
		m.Place = Below
		x.slow(m)
	}
}

// slow says what may make a run slower than its band.
func (x *asked) slow(m *Measured) {
	q, a := &x.r.Query, x.a
	late := float64(1/m.Rate - 1/a.Decode.Likely)
	host := float64(q.Int(query.HostBandwidth))
	if from := x.w.Bandwidth; host < from {
		if n := float64(late / float64(1/host-1/from)); n < float64(x.w.Always+x.w.Experts) {
			m.Host = n
			m.Causes = append(m.Causes, "layers on the host: "+units.Bytes(int64(n)).GB()+" of weights read at the host's "+units.Bytes(int64(host)).GB()+"/s would make it as slow")
		}
	}
	if x.w.TP > 1 {
		m.Causes = append(m.Causes, "links: tensor ranks exchange every layer's result twice, which takes long over PCIe")
	}
	if x.w.Experts > 0 && q.Int(query.Batch) == 1 {
		m.Causes = append(m.Causes, "experts read in full: kernels that touch every expert for one token read "+units.Bytes(int64(x.w.Experts)).GB()+" more")
	}
	if c := float64(x.w.Cache(q.Int(query.Context)) * float64(q.Int(query.Batch))); c > float64(x.w.Always/10) {
		m.Causes = append(m.Causes, "eager attention: a cache of "+units.Bytes(int64(c)).GB()+" counts here, and a kernel that stores scores reads it several times")
	}
	m.Causes = append(m.Causes, "another program on the device, a power limit, a slot of few lanes, or another backend than "+a.Title)
}

// among is the narrowest class whose runs are known one by one.
func (x *asked) among() *Class {
	var list []Class
	for _, c := range x.e.Decode {
		if len(c.Reached) > 1 {
			list = append(list, c)
		}
	}
	return x.pick(list)
}

// stands is the share of runs below a value, whose tenths are given.
func stands(tenths []float64, v float64) float64 {
	n := float64(len(tenths) - 1)
	for i := range tenths {
		if v < tenths[i] {
			if i == 0 {
				return 0
			}
			return float64((float64(i-1) + float64((v-tenths[i-1])/(tenths[i]-tenths[i-1]))) / n)
		}
	}
	return 1
}

func (m *Measured) tree() jsonout.Value {
	o := jsonout.Object("tokens_per_second", digits(m.Rate), "share_of_bound", digits(m.Share), "slow", jsonout.Bool(m.Place == Below))
	if m.Place != "" {
		o = o.Set("place", jsonout.Text(string(m.Place)))
	}
	if m.MFU > 0 {
		o = o.Set("mfu", digits(m.MFU))
	}
	if m.Faster >= 0 {
		c := &m.Among
		t := jsonout.Object("share", jsonout.Float(m.Faster, 2), "class", jsonout.Text(c.Level), "runs", jsonout.Int(c.Rows))
		if c.Of != "" {
			t = t.Set("of", jsonout.Text(c.Of))
		}
		o = o.Set("faster_than", t)
	}
	list := jsonout.List()
	for _, c := range m.Causes {
		list = list.Append(jsonout.Text(c))
	}
	if len(m.Causes) > 0 {
		o = o.Set("perhaps", list)
	}
	return o
}
