package compute_test

import (
	"testing"

	"llmsize/core/compute"
)

// TestCheapest goes from a budget to its best loss and back.
func TestCheapest(t *testing.T) {
	for i := range compute.Laws {
		l := &compute.Laws[i]
		for _, c := range []float64{1e18, 5.76e23, 4e25} {
			n, d := l.Optimum(c)
			loss := l.Loss(n, d)
			back, ok := l.Cheapest(loss)
			if !ok {
				t.Fatal(l.Name)
			}
			near(t, l.Name+"'s budget", back, c, 1e-9)
			tokens, ok := l.Tokens(n, loss)
			if !ok {
				t.Fatal(l.Name)
			}
			near(t, l.Name+"'s tokens", tokens, d, 1e-9)
		}
		if _, ok := l.Cheapest(l.E); ok {
			t.Errorf("%s reaches the loss that no model gets below", l.Name)
		}
		// A model of 1 M parameters never gets to 2.0, whatever it reads.
		if _, ok := l.Tokens(1e6, 2.0); ok {
			t.Errorf("%s: a million parameters reach 2.0", l.Name)
		}
	}
}

// TestServed: the more is served, the smaller the model that reaches a loss most
// cheaply, and the longer it is trained (Sardana et al. 2023); with nothing
// served it is the compute-optimal one.
func TestServed(t *testing.T) {
	for i := range compute.Laws {
		l := &compute.Laws[i]
		n0, d0 := l.Optimum(1e23)
		loss := l.Loss(n0, d0)
		n, d, ok := l.Served(loss, 0)
		if !ok {
			t.Fatal(l.Name)
		}
		near(t, "N without serving", n, n0, 1e-9)
		near(t, "D without serving", d, d0, 1e-9)
		before, tokens := n0, d0
		for _, served := range []float64{1e11, 1e12, 1e13, 1e14} {
			n, d, ok := l.Served(loss, served)
			if !ok || n >= before || d <= tokens {
				t.Errorf("%s, %g served: %g parameters on %g tokens, after %g on %g", l.Name, served, n, d, before, tokens)
			}
			near(t, "the loss", l.Loss(n, d), loss, 1e-9)
			// It is a minimum: a little to either side costs more.
			best := compute.Lifetime(n, d, served)
			for _, k := range []float64{0.98, 1.02} {
				if other, ok := l.Tokens(n*k, loss); ok && compute.Lifetime(n*k, other, served) <= best {
					t.Errorf("%s, %g served: %g × %g is cheaper", l.Name, served, k, n)
				}
			}
			if best >= compute.Lifetime(n0, d0, served) {
				t.Errorf("%s, %g served: no cheaper than the compute-optimal model", l.Name, served)
			}
			before, tokens = n, d
		}
	}
	// Serving as much as was read costs a third of training.
	if got := compute.Lifetime(1e9, 20e9, 20e9); got != 6*1e9*20e9+2*1e9*20e9 {
		t.Errorf("%g", got)
	}
}

// BenchmarkServed is the search for the cheapest model over its life, by one law.
func BenchmarkServed(b *testing.B) {
	l := &compute.Laws[1]
	for b.Loop() {
		if _, _, ok := l.Served(2.1, 1e13); !ok {
			b.Fatal("no model")
		}
	}
}
