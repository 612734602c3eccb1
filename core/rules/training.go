package rules

import (
	"llmsize/core/report"
	"llmsize/core/train"
)

// trainRule is a number of bytes for each parameter: of weights, of gradients, and of
// what the optimizer keeps.
type trainRule struct{ weights, gradients, states int64 }

// eval works the rule out against the fullest device of the query's run.
func (t *trainRule) eval(r *report.Report, _ Quantity) (int64, []Term, bool) {
	m := r.Training.Memory
	p := int64(r.Parameters.Total)
	if m == nil || p <= 0 || p > 1<<56 {
		return 0, nil, false
	}
	parts := &m.Parts
	return p * (t.weights + t.gradients + t.states), []Term{
		{TrainedWeights, parts[train.Weights] + parts[train.Gathered] - p*t.weights},
		{Gradients, parts[train.Gradients] - p*t.gradients},
		{OptimizerStates, parts[train.States] - p*t.states},
		{Activations, parts[train.Activations] + parts[train.Working]},
	}, true
}
