package train

import "llmsize/core/model"

// Unsure says what makes the activations of a run's sum an estimate, because its class's plain modules keep something else; empty
// where nothing that is known of the model does. What layers keep plays no part where each keeps its input alone.
func Unsure(m *model.Model, q *Question) string {
	if q.Saving.Recompute == "full" || q.Saving.Recompute == onHost {
		return ""
	}
	s := ""
	say := func(holds bool, why string) {
		if holds && s != "" {
			s += "; "
		}
		if holds {
			s += why
		}
	}
	say(scans(m), "scans over time are counted as fused kernels keep them, and the class's own modules keep more")
	say(m.Fact("every", 0) != 0, "experts are counted for the tokens that are sent to them, and the class runs every expert on every token")
	say(q.Saving.Flash && m.Fact("eager", 0) != 0, "scores are taken not to be stored, and the class stores them")
	say(len(q.Adapters) > 0, "inputs of frozen matrices are counted, and what adapters cast is not")
	return s
}

// scans reports whether a mixer that a step's tokens pass carries a state from one to the next. What towers for pictures and sounds
// do is no part of the sum.
func scans(m *model.Model) bool {
	for _, p := range m.Parts() {
		if p.Get(model.Scan) > 0 && (p.Stream == "" || p.Stream == "encoder") {
			return true
		}
	}
	return false
}
