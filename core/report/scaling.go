package report

import (
	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/units"
)

// Scaling is how a training run stands to what its budget could do best.
type Scaling struct {
	Budget    units.FLOPs // 6ND, N the active parameters
	PerParam  float64     // tokens for each of them
	RuleN     units.Params
	RuleD     int64 // tokens
	Estimates []Estimate
}

// Estimate is what one law of scaling says. The laws were fitted to dense models.
type Estimate struct {
	Law      *compute.Law
	Loss     float64 // of the run, in nats a token
	BestLoss float64 // of the best run of the same budget
	BestN    units.Params
	BestD    int64 // tokens
}

// scaling sets the run beside compute-optimal ones.
func (r *Report) scaling() Scaling {
	n, d := float64(r.Parameters.Active), float64(r.Compute.Train.Tokens)
	if n == 0 {
		return Scaling{}
	}
	c := float64(float64(6*n) * d)
	s := Scaling{Budget: units.FLOPs(c), PerParam: d / n}
	bestN, bestD := compute.Rule(c)
	s.RuleN, s.RuleD = units.Params(whole(bestN)), whole(bestD)
	for i := range compute.Laws {
		l := &compute.Laws[i]
		bestN, bestD := l.Optimum(c)
		s.Estimates = append(s.Estimates, Estimate{Law: l, Loss: l.Loss(n, d), BestLoss: l.Loss(bestN, bestD), BestN: units.Params(whole(bestN)), BestD: whole(bestD)})
	}
	return s
}

// scalingTree is the comparison as JSON.
func (r *Report) scalingTree() config.Value {
	s := &r.Compute.Scaling
	laws := config.Value{Kind: config.List}
	for i := range s.Estimates {
		e := &s.Estimates[i]
		laws.Items = append(laws.Items, object("name", text(e.Law.Name), "loss", thousandths(e.Loss), "best_loss", thousandths(e.BestLoss),
			"best_parameters", number(int64(e.BestN)), "best_tokens", number(e.BestD), "source", text(e.Law.Source)))
	}
	return object("budget_flops", flops(s.Budget), "tokens_per_parameter", thousandths(s.PerParam),
		"rule_parameters", number(int64(s.RuleN)), "rule_tokens", number(s.RuleD), "laws", laws)
}

// thousandths writes a positive number with three decimals.
func thousandths(x float64) config.Value {
	if x < 0 || x > 1<<50 {
		return config.Value{Kind: config.Null}
	}
	n := int64(float64(x*1000) + 0.5)
	low := units.Itoa(n%1000 + 1000)
	return config.Value{Kind: config.Number, Text: units.Itoa(n/1000) + "." + low[1:]}
}

// whole is x as an integer, kept inside int64.
func whole(x float64) int64 {
	if x > 1<<62 {
		return 1 << 62
	}
	return int64(x)
}
