package train_test

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/train"
	"llmsize/core/units"
)

// runs are the ways in which activations differ: every saving with every recomputation, each with a layout.
func runs(t *testing.T) (all []*train.Question) {
	t.Helper()
	recompute := []string{"none", "selective", "ops", "full"}
	for i, l := range []train.Layout{{}, {TP: 2}, {TP: 3, CP: 2}, {CP: 4}, {PP: 2, VP: 2}, {TP: 2}} {
		for j, s := range []train.Saving{{}, {Flash: true}, {Fused: true}, {Flash: true, Sequence: true}} {
			q := recipe(t, "adamw", []string{"bf16-mixed", "fp32"}[i/5], l)
			q.Saving = s
			q.Saving.Seq, q.Saving.Micro, q.Saving.Recompute = 96, 2, recompute[(i+j)%4]
			all = append(all, q)
		}
	}
	return all
}

// product multiplies sizes.
func product(by []train.Factor) *big.Rat {
	n := big.NewRat(1, 1)
	for _, f := range by {
		n.Mul(n, big.NewRat(f.Size, 1))
	}
	return n
}

// ofToken is what terms come to.
func ofToken(list []train.Addend) *big.Rat {
	sum := new(big.Rat)
	for _, x := range list {
		sum.Add(sum, new(big.Rat).Quo(product(x.By), product(x.Over)))
	}
	return sum
}

// TestTerms multiplies out what every row's bytes are said to come from: the terms of a token, times the tokens, are the
// bytes of a layer, of every type in the tables of activations and in the library, however it is trained. To note them changes no sum.
func TestTerms(t *testing.T) {
	configs := map[string]bool{}
	lib := families.Library()
	for _, name := range lib.Types() {
		configs[`{"model_type":"`+name+`"}`] = true
	}
	for _, file := range []string{"../memory/testdata/activations.txt", "testdata/activations.txt"} {
		rows, err := oracle.LoadTable(os.DirFS(filepath.Dir(file)), filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			configs[row["config"]] = true
		}
	}
	seen, nothing, questions := map[string]int{}, map[string]bool{}, runs(t)
	for text := range configs {
		m := described(lib, text)
		if m == nil {
			continue // a key that must be given
		}
		for _, q := range questions {
			x, fail := train.Hold(m, q)
			if fail != nil {
				continue // more stages than layers
			}
			terms := train.Terms(m, q)
			if len(terms) != len(x.Saved) {
				t.Fatalf("%s %+v: %d rows with terms, %d without", text, q, len(terms), len(x.Saved))
			}
			tokens := big.NewRat(q.Saving.Micro*q.Saving.Seq, max(q.Layout.CP, 1))
			for i, s := range terms {
				plain := &x.Saved[i]
				if plain.Terms != nil || s.Layer != plain.Layer || s.Bytes != plain.Bytes || s.What != plain.What || s.Title != plain.Title {
					t.Errorf("%s %+v: to note terms changes %+v to %+v", text, q, plain, s)
				}
				got, _ := new(big.Rat).Mul(ofToken(s.Terms), tokens).Float64()
				if math.Abs(got-s.Layer) > 1e-12*s.Layer || (len(s.Terms) == 0) != (s.Layer == 0) {
					t.Errorf("%s, %v, %s %+v: the terms of %s: %s come to %.3f bytes of a layer, not %.3f", m.Type, q.Layout, q.Precision.Name, q.Saving, s.Title, s.What, got, s.Layer)
				}
				if s.Bytes != s.Layer*float64(s.Flying) {
					t.Errorf("%s: %.0f bytes are not %d times %.0f", m.Type, s.Bytes, s.Flying, s.Layer)
				}
				if s.Layer == 0 {
					nothing[m.Type] = true
				}
				seen[s.What]++
			}
		}
		if t.Failed() {
			return
		}
	}
	if len(seen) < 12 {
		t.Errorf("only %v", seen)
	}
	if len(nothing) != 2 || !nothing["squeezebert"] || !nothing["sam3_lite_text_text_model"] { // their matrices are convolutions
		t.Errorf("rows of nothing in %v", nothing)
	}
}

// described is the model of a config; nil where there is none.
func described(lib *family.Library, text string) *model.Model {
	cfg, err := config.ParseObject(text)
	if err != nil {
		return nil
	}
	m, _ := family.Describe(cfg, lib)
	return m
}

// written is a sum of terms in the signs of its factors.
func written(list []train.Addend) string {
	join := func(by []train.Factor) string {
		var out []string
		for _, f := range by {
			if f.Sign == "" {
				f.Sign = units.Itoa(f.Size)
			}
			out = append(out, f.Sign)
		}
		return strings.Join(out, "·")
	}
	var sum []string
	for _, x := range list {
		s := join(x.By)
		if len(x.Over) > 0 {
			s += "/" + join(x.Over)
		}
		sum = append(sum, s)
	}
	return strings.Join(sum, " + ")
}

// TestSigns writes out terms: scores of Korthikanti et al. 2022, 5·a·s of a token, its masks and its norms; what Llama's
// feed-forward and its loss keep.
func TestSigns(t *testing.T) {
	for _, c := range []struct {
		config, title, what string
		s                   train.Saving
		tp                  int64
		want                string
	}{
		{gpt(t, 64, 6144, 2), "attention", "scores", train.Saving{Fused: true}, 8, "5·a·s/t"},
		{gpt(t, 64, 6144, 2), "ln_1", "norms", train.Saving{Fused: true}, 8, "2·n_embd·1"},
		{llama8b, "ffn", "feed-forward", train.Saving{Flash: true}, 1, "2·hidden_size + 2·4·intermediate_size"},
		{llama8b, "attention", "softmax sums", train.Saving{Flash: true}, 4, "4·a/t"},
		{llama8b, "head", "logits and loss", train.Saving{Flash: true}, 2, "2·hidden_size + 4·vocab_size·s - 1/s·t"},
		{llama8b, "loss", "logits and their gradients", train.Saving{Flash: true}, 2, "8·vocab_size/t"},
	} {
		q := question(c.s)
		q.Saving.Seq, q.Layout.TP = 1024, c.tp
		found := false
		for _, x := range train.Terms(describe(t, c.config), q) {
			if x.Title == c.title && x.What == c.what && !found {
				found = true
				if got := written(x.Terms); got != c.want {
					t.Errorf("%s: %s: %q, want %q", c.title, c.what, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s keeps no %s", c.title, c.what)
		}
	}
}
