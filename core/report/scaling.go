package report

import (
	"llmsize/core/compute"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Scaling is how a training run stands to what a budget could do best.
type Scaling struct {
	N, D      float64     // the run: its active parameters, its tokens
	Budget    units.FLOPs // the run's 6ND, or what the query's days of its devices give
	Asked     bool        // the budget is the query's days
	PerParam  float64     // the run's tokens for each parameter
	RuleN     units.Params
	RuleD     int64 // tokens
	Served    int64 // tokens that the model serves over its life; 0 when not asked
	Estimates []Estimate
}

// Estimate is what one law of scaling says. The laws were fitted to dense models.
type Estimate struct {
	Law      *compute.Law
	Loss     float64 // of the run, in nats a token
	BestLoss float64 // of the best run of the budget
	BestN    units.Params
	BestD    int64       // tokens
	Least    units.FLOPs // the fewest that reach the run's loss; 0 where none do
	Over     float64     // what the run takes, in as many: 1 is compute-optimal
	// Where tokens are served: the run with all of them, and the model that reaches
	// its loss and costs least over its life.
	Life, LeastLife units.FLOPs
	LifeN           units.Params
	LifeD           int64 // tokens
}

// scaling sets the run beside compute-optimal ones.
func (r *Report) scaling() Scaling {
	n, d := float64(r.Parameters.Active), float64(r.Compute.Train.Tokens)
	if n == 0 {
		return Scaling{}
	}
	run := float64(float64(6*n) * d)
	s := Scaling{N: n, D: d, Budget: units.FLOPs(run), PerParam: d / n, Served: r.Query.Int(query.Served)}
	if t := &r.Compute.Train.Time; t.Peak > 0 {
		if days := r.Query.Int(query.Days); days > 0 {
			s.Asked = true
			s.Budget = units.FLOPs(float64(float64(t.Devices)*t.Peak) * t.Share * float64(days) * 86400)
		}
	}
	c := float64(s.Budget)
	bestN, bestD := compute.Rule(c)
	most := max(bestN, bestD)
	s.RuleN, s.RuleD = units.Params(whole(bestN)), whole(bestD)
	for i := range compute.Laws {
		l := &compute.Laws[i]
		bestN, bestD := l.Optimum(c)
		most = max(most, bestN, bestD)
		e := Estimate{Law: l, Loss: l.Loss(n, d), BestLoss: l.Loss(bestN, bestD), BestN: units.Params(whole(bestN)), BestD: whole(bestD)}
		if least, ok := l.Cheapest(e.Loss); ok {
			e.Least, e.Over = units.FLOPs(least), run/least
		}
		if s.Served > 0 {
			e.Life = units.FLOPs(compute.Lifetime(n, d, float64(s.Served)))
			if lifeN, lifeD, ok := l.Served(e.Loss, float64(s.Served)); ok {
				most = max(most, lifeN, lifeD)
				e.LeastLife = units.FLOPs(compute.Lifetime(lifeN, lifeD, float64(s.Served)))
				e.LifeN, e.LifeD = units.Params(whole(lifeN)), whole(lifeD)
			}
		}
		s.Estimates = append(s.Estimates, e)
	}
	if !(most < 1<<62) {
		field := query.Tokens
		switch {
		case s.Asked:
			field = query.Days
		case s.Served > 0:
			field = query.Served
		}
		r.warn(&fault.Error{Field: query.About(field).Name, Given: r.Query.Get(field), Problem: "the budget is too large: the model it would train best is more than we can count"}, "best sizes are not answered")
		return Scaling{}
	}
	return s
}

// scalingTree is the comparison as JSON.
func (r *Report) scalingTree() jsonout.Value {
	s := &r.Compute.Scaling
	laws := jsonout.List()
	for i := range s.Estimates {
		e := &s.Estimates[i]
		o := object("name", text(e.Law.Name), "loss", thousandths(e.Loss), "best_loss", thousandths(e.BestLoss),
			"best_parameters", number(int64(e.BestN)), "best_tokens", number(e.BestD))
		if e.Least > 0 {
			o = o.Set("least_flops", flops(e.Least)).Set("over", thousandths(e.Over))
		}
		if s.Served > 0 {
			o = o.Set("life_flops", flops(e.Life))
		}
		if e.LifeN > 0 {
			o = o.Set("least_life_flops", flops(e.LeastLife)).Set("life_parameters", number(int64(e.LifeN))).Set("life_tokens", number(e.LifeD))
		}
		laws = laws.Append(o.Set("source", text(e.Law.Source)))
	}
	o := object("budget_flops", flops(s.Budget), "tokens_per_parameter", thousandths(s.PerParam),
		"rule_parameters", number(int64(s.RuleN)), "rule_tokens", number(s.RuleD), "laws", laws)
	if s.Served > 0 {
		o = o.Set("served_tokens", number(s.Served))
	}
	return o
}

// whole is x as an integer, kept inside int64.
func whole(x float64) int64 {
	if x > 1<<62 {
		return 1 << 62
	}
	return int64(x)
}
