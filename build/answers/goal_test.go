package answers

import (
	"strings"
	"testing"

	"llmsize/build/text"
)

func TestGoal(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct{ name, goal, met, want string }{
		{"reached by what it says", "cache<=1000000000 context>=8192", "kv=fp8", `data-name="cache" data-sign="≤" data-bound="1000000000"`},
		{"a key of the config", "set.num_hidden_layers>=40", "set.num_hidden_layers=40", "num_hidden_layers at least 40"},
		{"not reached", "cache<=1000", "kv=fp8", `error: met="kv=fp8" does not reach cache: it is 536870912`},
		{"reached from the start", "cache<=2000000000", "kv=fp8", "error: the goal is reached from the start"},
		{"no such name", "speed>=3", "kv=fp8", `error: goal: no "speed"`},
		{"no sign", "cache=3", "kv=fp8", `error: goal: "cache=3" is not name<=number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			html, err := e.goal("v=1&model=llama-3.1-8b", c.goal, c.met)
			if err != nil {
				html = "error: " + err.Error()
			}
			if !strings.Contains(html, c.want) {
				t.Errorf("%s, want %s", html, c.want)
			}
		})
	}
}

// Sums of bytes are bytes, so that their short form says so.
func TestSums(t *testing.T) {
	e := newEngine(t)
	for field, want := range map[string]text.Unit{
		"memory.training.weights+memory.training.gradients+memory.training.optimizer": text.Bytes,
		"memory.training.optimizer-memory.training.terms.2.bytes":                     text.Bytes,
		"memory.training.weights+parameters.total":                                    text.Count,
		"2*memory.training.weights":                                                   text.Count,
		"compute.conventions.6nd-without-embedding.per_token":                         text.FLOPs,
	} {
		if got, err := e.Number("v=1&model=llama-3.1-8b", field); err != nil || got.Unit != want {
			t.Errorf("%s counts %v, %v; want %v", field, got.Unit, err, want)
		}
	}
}

// Times and rates multiply in floating point; whole numbers stay with the report's own, exact expressions.
func TestProducts(t *testing.T) {
	e := newEngine(t)
	const question = "v=1&model=llama-3.1-8b"
	once, err := e.Number(question, "running.time.decode.seconds")
	if err != nil || !once.IsFloat {
		t.Fatal(once, err)
	}
	for field, want := range map[string]float64{
		"1000*running.time.decode.seconds":   1000 * once.Float,
		"running.time.decode.seconds/8":      once.Float / 8,
		"3*running.time.decode.seconds/4*10": 3 * once.Float / 4 * 10,
	} {
		got, err := e.Number(question, field)
		if err != nil || !got.IsFloat || got.Float/want < 1-1e-12 || got.Float/want > 1+1e-12 {
			t.Errorf("%s is %v, %v; want %g", field, got, err, want)
		}
	}
	if got, err := e.Number(question, "config.hidden_size*2"); err != nil || got.IsFloat || got.Int != 8192 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := e.Number(question, "1000*running.time.decode.hours"); err == nil {
		t.Error("a field that is gone is answered")
	}
}
