package train_test

import (
	"strings"
	"testing"
	"time"

	"llmsize/core/compute"
	"llmsize/core/model"
	"llmsize/core/train"
	"llmsize/core/work"
)

// TestVolumes is each collective with its arithmetic, for Llama-3.1-8B in sequences
// of 4,096: 32 layers of a mixer and a feed-forward, h = 4,096, 8 heads of 128 keys
// and values, 2 bytes each.
func TestVolumes(t *testing.T) {
	const row = 4096 * 4096 * 2 // a sequence of activations
	m := describe(t, llama8b)
	mixtral := describe(t, `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`)
	const dense, experts = 46_702_792_704 - 32*8*3*4096*14336, 32 * 8 * 3 * 4096 * 14336
	for _, c := range []struct {
		name, by  string
		m         *model.Model
		l         train.Layout
		sp        bool
		recompute string
		precision string
		micro     int64
		want      float64
		wide      bool
	}{
		// 16 sequences a step; a layer's are 8·b·s·h·(t−1)/t elements (Narayanan et al. 2021, arXiv 2104.04473, section 3.2)
		{"tensor parallel", "tp", m, train.Layout{TP: 4}, false, "none", "bf16-mixed", 1, 16 * 64 * 4 * row * 3 / 4, false},
		{"with sequence parallel", "tp", m, train.Layout{TP: 4}, true, "none", "bf16-mixed", 1, 16 * 64 * 5 * row * 3 / 4, false},
		{"layers made again", "tp", m, train.Layout{TP: 4}, true, "full", "bf16-mixed", 2, 16 * 64 * 7 * row * 3 / 4, false},
		{"products made again: what is gathered, not what is scattered", "tp", m, train.Layout{TP: 4}, true, "ops", "bf16-mixed", 2, 16 * 64 * 6 * row * 3 / 4, false},
		{"over two nodes", "tp", m, train.Layout{TP: 16}, true, "none", "bf16-mixed", 1, 16 * 64 * 5 * row * 15 / 16, true},
		{"in fp32", "tp", m, train.Layout{TP: 4}, false, "none", "fp32", 1, 16 * 64 * 4 * 2 * row * 3 / 4, false},
		{"four stages", "pp", m, train.Layout{PP: 4}, false, "none", "bf16-mixed", 1, 16 * 2 * row, false},
		{"two stages: one hop forward, none back from the first", "pp", m, train.Layout{PP: 2}, false, "none", "bf16-mixed", 1, 16 * row, false},
		{"four stages of two pieces", "pp", m, train.Layout{PP: 4, VP: 2}, false, "none", "bf16-mixed", 1, 16 * 4 * row, false},
		{"stages of slices", "pp", m, train.Layout{PP: 4, TP: 4}, true, "none", "bf16-mixed", 1, 16 * 2 * row / 4, true},
		{"a quarter of the layers' slices", "tp", m, train.Layout{PP: 4, TP: 4}, true, "none", "bf16-mixed", 1, 16 * 16 * 5 * row * 3 / 4, false},
		{"context parallel", "cp", m, train.Layout{CP: 4}, false, "none", "bf16-mixed", 1, 16 * 32 * 3 * 3 * 1024 * 2 * 8 * 128 * 2, false},
		{"an all-reduce of gradients", "dp", m, train.Layout{DP: 8}, false, "none", "bf16-mixed", 1, 2 * 2 * phi * 7 / 8, false},
		{"ZeRO 1: the same volume", "dp", m, train.Layout{DP: 8, Zero: 1}, false, "none", "bf16-mixed", 1, (2 + 2) * phi * 7 / 8, false},
		{"ZeRO 2: gradients of two micro-batches", "dp", m, train.Layout{DP: 8, Zero: 2}, false, "none", "bf16-mixed", 1, (2*2 + 2) * phi * 7 / 8, false},
		{"ZeRO 3: half as much again, with one micro-batch", "dp", m, train.Layout{DP: 8, Zero: 3}, false, "none", "bf16-mixed", 2, (2 + 2*2) * phi * 7 / 8, false},
		{"ZeRO 3 on two nodes", "dp", m, train.Layout{DP: 16, Zero: 3}, false, "none", "bf16-mixed", 1, (2 + 2*2) * phi * 15 / 16, true},
		{"fp32 gradients", "dp", m, train.Layout{DP: 8}, false, "none", "megatron", 1, 2 * 4 * phi * 7 / 8, false},
		{"experts: two of them, to and back, both ways", "ep", mixtral, train.Layout{EP: 8, DP: 8}, false, "none", "bf16-mixed", 1, 2 * 32 * 2 * 4 * row * 7 / 8, false},
		{"experts of 16 ranks", "dp", mixtral, train.Layout{EP: 8, DP: 16}, false, "none", "bf16-mixed", 1, 4*dense*15/16 + 4*experts/8*1/2, true},
	} {
		q := recipe(t, "adamw", c.precision, c.l)
		q.Saving.Seq, q.Saving.Micro, q.Saving.Sequence, q.Saving.Recompute = 4096, c.micro, c.sp, c.recompute
		list, _ := train.Volumes(c.m, q, 16, 8)
		found := false
		for _, x := range list {
			if x.Source == "" || x.Formula == "" || x.Values == "" || !(x.Bytes > 0) {
				t.Errorf("%s: %+v", c.name, x)
			}
			if x.By == c.by {
				if found = true; x.Bytes != c.want || x.Wide != c.wide {
					t.Errorf("%s: %.0f bytes, wide %v, want %.0f, %v", c.name, x.Bytes, x.Wide, c.want, c.wide)
				}
			}
		}
		if !found {
			t.Errorf("%s: nothing by %s in %+v", c.name, c.by, list)
		}
	}
}

// ranked looks for layouts of a model.
func ranked(m *model.Model, q *train.Question, devices int64, most int) train.Ranking {
	terms, forward := compute.Forward(m, compute.Pass{Tokens: q.Saving.Seq, Batch: 1})
	scores := 0.0
	for _, x := range terms {
		scores += x.Score
	}
	w := train.Work{Sequences: 1024, FLOPs: 3 * forward, Forward: forward, Scores: scores, Ops: compute.Alternate(m, compute.Pass{Tokens: q.Saving.Seq, Batch: 1}, q.Saving.Flash)}
	return train.Rank(m, q, w, train.Machine{Devices: devices, Memory: 85_520_809_984, Node: 8, Balance: train.Balance, Across: train.Across}, most)
}

// TestRankWithoutTheAskedLayout: layouts are ranked whatever layout the question asks for, be it one with more stages than
// memory has places for.
func TestRankWithoutTheAskedLayout(t *testing.T) {
	m := describe(t, v3)
	q := question(train.Saving{Seq: 4096, Flash: true})
	want := ranked(m, q, 64, 5)
	x := *q
	x.Layout.PP, x.Layout.VP = 1<<40, 1
	if got := ranked(m, &x, 64, 5); got.Tried != want.Tried || got.Fit != want.Fit {
		t.Errorf("%d of %d fit, without it %d of %d", got.Fit, got.Tried, want.Fit, want.Tried)
	}
	without, ok := train.Fewest(m, q, 85_520_809_984, 8)
	if got, is := train.Fewest(m, &x, 85_520_809_984, 8); is != ok || got != without {
		t.Errorf("the fewest devices are %+v, %v, without it %+v, %v", got, is, without, ok)
	}
}

const v3 = `{"model_type":"deepseek_v3","architectures":["DeepseekV3ForCausalLM"]}`

// TestRank holds the list against Hold and Check: every layout multiplies to the
// devices, fits, is allowed, and comes after those that cost less. On eight
// devices nothing that fits at all is missing.
func TestRank(t *testing.T) {
	mixtral := `{"model_type":"mixtral","architectures":["MixtralForCausalLM"]}`
	for _, c := range []struct {
		config  string
		devices int64
		l       train.Layout
		offload train.Offload
		flash   bool
	}{
		{llama8b, 1, train.Layout{}, 0, true}, {llama8b, 8, train.Layout{}, 0, true}, {llama8b, 8, train.Layout{CP: 2}, 0, false},
		{llama8b, 24, train.Layout{}, 0, true}, {llama8b, 1024, train.Layout{VP: 2}, 0, true}, {llama8b, 1, train.Layout{}, train.OffloadAll, true},
		{mixtral, 8, train.Layout{}, 0, false}, {mixtral, 64, train.Layout{}, 0, true}, {v3, 1024, train.Layout{}, 0, true},
		{`{"model_type":"t5"}`, 8, train.Layout{}, 0, false}, {`{"model_type":"mamba"}`, 8, train.Layout{}, 0, true}, {`{"model_type":"qwen3_next"}`, 32, train.Layout{}, 0, true},
	} {
		m := describe(t, c.config)
		q := recipe(t, "adamw", "bf16-mixed", c.l)
		q.Offload = c.offload
		q.Saving.Seq, q.Saving.Flash, q.Saving.Split = 4096, c.flash, true
		r := ranked(m, q, c.devices, 1<<20)
		if int64(len(r.List)) != r.Fit || r.Fit > r.Tried || r.Fit == 0 && c.devices > 8 {
			t.Errorf("%s on %d: %d listed of %d that fit of %d", c.config, c.devices, len(r.List), r.Fit, r.Tried)
		}
		for i, x := range r.List {
			ask := *q
			ask.Layout, ask.Saving.Recompute, ask.Saving.Micro = x.Layout, x.Recompute, x.Micro
			ask.Saving.Sequence = x.Layout.TP > 1
			if err := x.Layout.Check(m, c.devices); err != nil {
				t.Errorf("%+v: %v", x.Layout, err)
			}
			if err := ask.Check(); err != nil {
				t.Errorf("%+v: %v", x.Layout, err)
			}
			held, err := train.Hold(m, &ask)
			if err != nil || held.Bytes != x.Bytes || held.Host != x.Host || held.Bytes > 85_520_809_984 {
				t.Errorf("%+v: %d bytes, Hold says %d, %v", x, x.Bytes, held.Bytes, err)
			}
			if i > 0 && x.Cost < r.List[i-1].Cost {
				t.Errorf("%d costs %g, the one before %g", i, x.Cost, r.List[i-1].Cost)
			}
			sum := 0.0
			for _, s := range x.Sent {
				sum += s.Bytes
			}
			if off := sum - x.Total; off > 1e-6*sum || -off > 1e-6*sum {
				t.Errorf("%+v: sends %g, in all %g", x.Layout, sum, x.Total)
			}
			if x.Cost < 1 || x.Idle < 0 || x.Uneven < 1 || x.Micro*x.Batches*x.Layout.DP < 1024 {
				t.Errorf("%+v", x)
			}
		}
		if short := ranked(m, q, c.devices, 5); len(short.List) != min(5, len(r.List)) || len(short.List) > 0 && short.List[len(short.List)-1].Cost != r.List[len(short.List)-1].Cost {
			t.Errorf("the first five are others: %+v", short.List)
		}
		if c.devices != 8 {
			continue
		}
		ways := int64(0)
		for tp := int64(1); tp <= 8; tp++ {
			for pp := int64(1); pp <= 8; pp++ {
				for ep := int64(1); ep <= 8; ep++ {
					ask := *q
					l := train.Layout{TP: tp, PP: pp, EP: ep, CP: max(c.l.CP, 1), DP: 8 / (tp * pp * max(c.l.CP, 1))}
					if l.DP == 0 || l.Check(m, 8) != nil {
						continue
					}
					fit := false
					for _, l.Zero = range []int64{0, 1, 2, 3} {
						for _, ask.Saving.Recompute = range train.Recomputes {
							ask.Layout, ask.Saving.Sequence = l, tp > 1
							fit = fit || fits(t, m, ask, 85_520_809_984)
						}
					}
					if fit {
						ways++
					}
				}
			}
		}
		if ways != r.Fit {
			t.Errorf("%s: %d ways fit eight devices, %d were found", c.config, ways, r.Fit)
		}
	}
}

// TestRule is the order's own arithmetic for what is known of a layout without
// search: eight stages, 128 micro-batches, nothing made again.
func TestRule(t *testing.T) {
	m := describe(t, llama8b)
	q := recipe(t, "adamw", "bf16-mixed", train.Layout{})
	q.Saving.Seq, q.Saving.Split = 4096, true
	list := ranked(m, q, 8, 1<<20).List
	q.Layout.VP = 2 // stages in two pieces, where there are stages
	list = append(list, ranked(m, q, 8, 1<<20).List...)
	pieces := false
	for _, x := range list {
		talk := 0.0
		for _, s := range x.Sent {
			talk += s.Bytes
		}
		_, forward := compute.Forward(m, compute.Pass{Tokens: 4096, Batch: 1})
		talk *= train.Balance / (3 * forward * 1024 / 8) // one node
		if off := x.Talk/talk - 1; talk > 0 && (off > 1e-9 || off < -1e-9) {
			t.Errorf("%+v: sending costs %g, want %g", x.Layout, x.Talk, talk)
		}
		pieces = pieces || x.Layout.VP == 2
		idle := float64(x.Layout.PP-1) / float64(max(x.Layout.VP, 1)*x.Batches)
		want := (1 + x.Again) * (1 + idle) * x.Uneven
		if off := x.Cost - x.Talk - want; off > 1e-9 || off < -1e-9 {
			t.Errorf("%+v: costs %g beside sending, want %g", x.Layout, x.Cost-x.Talk, want)
		}
		if (x.Again == 0) != (x.Recompute == "none") {
			t.Errorf("%+v", x)
		}
	}
	q.Layout.VP = 0
	far := false
	// Two nodes of eight: a byte to the other one takes nine times as long over one adapter. A ring over data-parallel ranks has
	// the adapters of all its ranks on a node, 8 / tp of them.
	for _, x := range ranked(m, q, 16, 1<<20).List {
		talk := 0.0
		for _, s := range x.Sent {
			if s.Wide {
				far = true
				if adapters := min(x.Layout.DP, 8/x.Layout.TP); s.By == "dp" {
					s.Bytes *= max(1, 9/float64(adapters))
				} else {
					s.Bytes *= 9
				}
			}
			talk += s.Bytes
		}
		_, forward := compute.Forward(m, compute.Pass{Tokens: 4096, Batch: 1})
		talk *= train.Balance / (3 * forward * 1024 / 16)
		if off := x.Talk/talk - 1; talk > 0 && (off > 1e-9 || off < -1e-9) {
			t.Errorf("%+v: sending costs %g, want %g", x.Layout, x.Talk, talk)
		}
	}
	if !far {
		t.Error("nothing goes between nodes")
	}
	if !pieces {
		t.Error("no layout has stages of two pieces")
	}
}

// BenchmarkRank looks through the layouts of 1,024 devices; at most 50 ms is wanted.
func BenchmarkRank(b *testing.B) {
	for name, c := range map[string]string{"llama-8b": llama8b, "deepseek-v3": v3} {
		m := describe(b, c)
		q := question(train.Saving{Seq: 4096, Flash: true, Split: true})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ranked(m, q, 1024, 20)
			}
		})
	}
}

// TestSearchIsBounded: a search takes no more than a question's steps and says that it stopped; for models that people
// train it does not stop, on as many devices as anybody has.
func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	// 3,600 layers, 840 heads and 5,040 experts over 720,720 devices: 2,947 ways to divide them, some seconds of work.
	m := describe(t, `{"model_type":"qwen3_moe","num_hidden_layers":3600,"hidden_size":840,"num_attention_heads":840,"num_key_value_heads":840,"num_experts":5040}`)
	q := question(train.Saving{Seq: 4096, Flash: true, Split: true})
	if x := ranked(m, q, 720720, 20); !x.Cut || x.Tried > 1000 || x.Tried == 0 {
		t.Errorf("a search without an end: stopped %v after %d layouts", x.Cut, x.Tried)
	}
	m.Work = work.New(1000) // nearly spent by what came before
	if x := ranked(m, q, 720720, 20); !x.Cut || x.Tried > 3 {
		t.Errorf("1,000 steps: stopped %v after %d layouts", x.Cut, x.Tried)
	}
	for _, c := range []string{llama8b, v3} {
		for _, devices := range []int64{1024, 16384, 131072} {
			if x := ranked(describe(t, c), q, devices, 20); x.Cut {
				t.Errorf("%.60s on %d devices: stopped after %d layouts", c, devices, x.Tried)
			}
		}
	}
}

// TestSearchEnds: configs and machines of absurd sizes are answered, or not, in time.
func TestSearchEnds(t *testing.T) {
	for _, c := range []string{
		`{"model_type":"mistral","num_attention_heads":1000000007,"head_dim":1,"num_key_value_heads":1,"hidden_size":8}`,
		`{"model_type":"mixtral","num_local_experts":1073741824,"hidden_size":8,"intermediate_size":8,"num_attention_heads":2}`,
		`{"model_type":"llama","num_hidden_layers":4000,"hidden_size":64,"num_attention_heads":8}`,
		`{"model_type":"mixtral","hidden_size":65536,"num_hidden_layers":2,"num_attention_heads":64}`,
	} {
		m := describe(t, c)
		q := recipe(t, "adamw", "bf16-mixed", train.Layout{})
		q.Saving.Split = true
		for _, devices := range []int64{1, 720720, 1 << 50} {
			start := time.Now()
			l := train.Layout{TP: 3, PP: 1, EP: 1, DP: 1}
			if err := l.Check(m, 0); err == nil && !strings.Contains(c, "mixtral") {
				t.Errorf("%s: three slices", c)
			}
			train.Solve(m, q, 85_520_809_984)
			train.Fewest(m, q, 85_520_809_984, 8)
			ranked(m, q, devices, 20)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s on %d devices: %v", c, devices, took)
			}
		}
	}
}
