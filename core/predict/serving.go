package predict

import (
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Served is what a number of users of a server see.
type Served struct {
	Users  float64
	First  *Range // seconds to the first token; nil: not known
	Token  *Range // seconds for each later token
	Output *Range // tokens generated a second, over all devices; nil: not known
	Queued bool   // there is no room for all: some wait until others are done
}

// Promise is how many users a server may have within what the question promises.
type Promise struct {
	First, Token float64 // the most seconds; 0: not promised
	Likely, Sure int64   // users of whom the likely times, and the upper ends of both bands, keep it; 0: not even one
	Room         int64   // users for whom there is memory; 0: nothing bounds it
}

// Cost is a million tokens' share of the price of an hour, in the question's money.
type Cost struct{ Input, Output *Range }

// server is what all loads of a question have in common.
type server struct {
	token, first                   *Class
	output, prompt, cache, reading float64                                 // reading: a prompt's, in device seconds of a replica
	room                           float64                                 // users of a replica for whom there is memory; 0: nothing bounds it
	least                          struct{ token, first, request float64 } // seconds, by the bound
}

// server prepares a question about users; ok is false where nothing is known.
func (x *asked) server() (s server, ok bool) {
	q := &x.r.Query
	s.token, s.first = x.pick(x.e.Token), x.pick(x.e.First)
	if s.token == nil || x.rate == 0 {
		return s, false
	}
	output, prompt := q.Int(query.Output), q.Int(query.Prompt)
	s.output, s.prompt = float64(output), float64(prompt)
	s.cache = x.w.Cache(prompt + output/2)
	scores := x.w.Scores(prompt, 0)
	s.reading = x.w.Reading(&x.e.Step, s.prompt, scores, x.rate)
	b := Bound{Rate: x.a.Bounds.Rate}
	s.least.token, s.least.first, s.least.request = b.Token(x.w, s.cache), b.First(x.w, s.prompt, scores), b.Request(x.w, s.prompt, s.output, scores)
	if run := &x.r.Running; !run.AnyBatch && run.Batch > 0 {
		s.room = max(float64(run.Batch)/x.w.DP, 1)
	}
	return s, true
}

// at is what that many users see.
func (x *asked) at(s *server, users float64) Served {
	l := Served{Users: users}
	each := max(float64(users/x.w.DP), 1)
	waiting := 0.0
	if s.room > 0 && each > s.room {
		l.Queued, waiting, each = true, float64(each/s.room)-1, s.room
	}
	t := float64(x.w.Token(&x.e.Step, &x.e.Load, each, s.output, s.cache, s.reading, x.rate) * s.token.Factor)
	l.Token = later(t, s.token, s.least.token)
	if l.Queued {
		// A full queue keeps every place taken: for a user's prompt, whoever waited how long before, and for the tokens of the answer.
		rate := func(slower float64) float64 {
			return float64(each*x.w.DP*s.output) / float64(float64(float64(x.e.Load.Own*s.reading)+float64(t*(s.output-1)))*slower)
		}
		l.Output = (&Range{rate(1 / s.token.Low), rate(1), rate(1 / s.token.High)}).most(s.rate())
	}
	if s.first == nil {
		return l
	}
	f := float64(x.w.FirstToken(&x.e.Step, &x.e.Load, each, s.output, s.cache, s.reading, x.rate) * s.first.Factor)
	f = float64(f + float64(waiting*float64(f+float64(t*s.output))))
	l.First = later(f, s.first, s.least.first)
	if !l.Queued {
		rate := func(f, t float64) float64 {
			return float64(users*s.output) / float64(f+float64(t*(s.output-1)))
		}
		l.Output = (&Range{rate(l.First.High, l.Token.High), rate(l.First.Likely, l.Token.Likely), rate(l.First.Low, l.Token.Low)}).most(s.rate())
	}
	return l
}

// rate is the most tokens a second that all devices may generate; 0: no peak is known.
func (s *server) rate() float64 {
	if s.least.request == 0 {
		return 0
	}
	return float64(s.output / s.least.request)
}

// later is a time with its band, no part of which is shorter than the bound.
func later(t float64, c *Class, least float64) *Range {
	return &Range{max(float64(t/c.High), least), max(t, least), max(float64(t/c.Low), least)}
}

// serving predicts what users of a server see, for the question's users and from one user on.
func (x *asked) serving() {
	q := &x.r.Query
	if !q.Has(query.Output) {
		x.a.Missing = append(x.a.Missing, "serving: say how many tokens each user's answer has, with output=")
		return
	}
	s, ok := x.server()
	if !ok {
		x.missing("serving")
		return
	}
	users := float64(q.Int(query.Batch))
	if q.Has(query.Users) {
		users = float64(q.Int(query.Users))
	}
	l := x.at(&s, users)
	x.a.Load = &l
	x.a.Basis = append(x.a.Basis, Basis{Part: "serving", Class: *s.token})
	if s.first == nil {
		x.missing("time to first token")
	}
	if l.Queued {
		x.a.Beyond = append(x.a.Beyond, "more users than there is room for: "+units.Group(int64(float64(s.room*x.w.DP)))+" are served at a time, the others wait")
	}
	last := max(users, 32*x.w.DP)
	if s.room > 0 {
		last = max(users, min(float64(2*s.room*x.w.DP), 1<<14))
	}
	for n := 1.0; ; n = float64(n * 2) {
		x.a.Curve = append(x.a.Curve, x.at(&s, min(n, last)))
		if n >= last {
			break
		}
	}
	if w := x.r.Running.Device.Power; w > 0 && l.Output != nil {
		x.a.Energy = float64(float64(w*x.r.Running.Accelerators) / l.Output.Likely)
	}
	x.promise(&s)
}

// promise seeks the most users whom the question's promise holds for. Times only grow with users.
func (x *asked) promise(s *server) {
	q := &x.r.Query
	p := Promise{First: float64(float64(q.Int(query.FirstWithin)) / 1000), Token: float64(q.Amount(query.EachWithin) / 1000)}
	if p.First == 0 && p.Token == 0 {
		return
	}
	if p.First > 0 && s.first == nil {
		x.a.Missing = append(x.a.Missing, "users within the promise: it needs the time to first token")
		return
	}
	kept := func(n int64, sure bool) bool {
		l := x.at(s, float64(n))
		within := func(most float64, r *Range) bool {
			return most == 0 || r.Likely <= most && (!sure || r.High <= most)
		}
		return within(p.Token, l.Token) && (l.First == nil || within(p.First, l.First))
	}
	seek := func(sure bool) int64 {
		least, most := int64(0), int64(1)<<20
		for least < most {
			if n := (least + most + 1) / 2; kept(n, sure) {
				least = n
			} else {
				most = n - 1
			}
		}
		return least
	}
	p.Likely, p.Sure, p.Room = seek(false), seek(true), int64(float64(s.room*x.w.DP))
	if p.Room > 0 { // more would wait, which a promise on later tokens alone does not see
		p.Likely, p.Sure = min(p.Likely, p.Room), min(p.Sure, p.Room)
	}
	x.a.Promise = &p
}

// cost divides an hour's price over a million tokens. Of a server under load, a prompt's tokens pay for the time in which
// devices read it, those that are generated for the rest; of one question alone, each for its own pass.
func (x *asked) cost() {
	second := float64(x.r.Query.Amount(query.Price) / 3600)
	if second == 0 {
		return
	}
	million := func(each float64) float64 { return float64(float64(second*each) * 1e6) }
	inverse := func(r *Range, times float64) *Range {
		return &Range{million(1 / float64(r.High*times)), million(1 / float64(r.Likely*times)), million(1 / float64(r.Low*times))}
	}
	var c Cost
	if l := x.a.Load; l != nil && l.Output != nil {
		// How long an answer takes is as sure as the rate is; which part of it its prompt takes is the likely one throughout.
		s, _ := x.server()
		read := min(float64(float64(float64(x.e.Load.Own*s.reading)/x.w.DP)*l.Output.Likely)/s.output, 1)
		part := func(rate float64) (in, out float64) {
			each := float64(s.output / rate) // seconds of all devices for one answer
			return million(float64(each*read) / s.prompt), million(float64(each*float64(1-read)) / s.output)
		}
		c.Input, c.Output = &Range{}, &Range{}
		c.Input.Low, c.Output.Low = part(l.Output.High)
		c.Input.Likely, c.Output.Likely = part(l.Output.Likely)
		c.Input.High, c.Output.High = part(l.Output.Low)
	} else if x.a.Load != nil {
		x.a.Missing = append(x.a.Missing, "cost of a million tokens: it needs the time to first token, or more users than there is room for")
	} else {
		if x.a.Prefill != nil {
			c.Input = inverse(x.a.Prefill, 1)
		}
		if x.a.Decode != nil {
			c.Output = inverse(x.a.Decode, float64(x.r.Query.Int(query.Batch)))
		}
	}
	if c.Input != nil || c.Output != nil {
		x.a.Cost = &c
	}
}

// tree is a range as JSON.
func (r *Range) tree() jsonout.Value {
	return jsonout.Object("low", digits(r.Low), "likely", digits(r.Likely), "high", digits(r.High))
}

func (l *Served) tree() jsonout.Value {
	o := jsonout.Object("tpot_seconds", l.Token.tree())
	if l.First != nil {
		o = o.Set("ttft_seconds", l.First.tree())
	}
	if l.Output != nil {
		o = o.Set("output_tokens_per_second", l.Output.tree())
	}
	return o
}

// more puts what users, money and measurements ask for into an answer's JSON.
func (a *Answer) more(o jsonout.Value) jsonout.Value {
	if len(a.Curve) > 0 {
		list := jsonout.List()
		for i := range a.Curve {
			l := &a.Curve[i]
			list = list.Append(l.tree().Set("users", jsonout.Int(int64(l.Users))).Set("queued", jsonout.Bool(l.Queued)))
		}
		o = o.Set("curve", list)
	}
	if p := a.Promise; p != nil {
		o = o.Set("promise", jsonout.Object("users", jsonout.Int(p.Likely), "users_surely", jsonout.Int(p.Sure)))
	}
	if c := a.Cost; c != nil {
		t := jsonout.Object()
		if c.Input != nil {
			t = t.Set("million_input_tokens", c.Input.tree())
		}
		if c.Output != nil {
			t = t.Set("million_output_tokens", c.Output.tree())
		}
		o = o.Set("cost", t)
	}
	if a.Energy > 0 {
		o = o.Set("joules_per_output_token_at_most", digits(a.Energy))
	}
	if m := a.Measured; m != nil {
		o = o.Set("measured", m.tree())
	}
	if f := a.Offloaded; f != nil {
		o = o.Set("offload", f.tree())
	}
	return o
}
