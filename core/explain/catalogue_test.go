package explain

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/formula"
	"llmsize/core/query"
	"llmsize/core/report"
)

var (
	rounds = flag.Int("rounds", 1, "how many keys of each model of the catalogue are tried")
	whole  = flag.Int("whole", 2, "of how many models whole trees are tried")
	seed   = flag.Uint64("seed", 7, "which models these are")
)

// TestKeysOfTheCatalogue: of every model of the catalogue some key is given a random value. Of the figures that this moves, and
// of those that it leaves alone, one each is taken apart along that key: the tree has the key exactly where the figure can be moved,
// and asking by a link what the tree proves it with gives what the tree says.
func TestKeysOfTheCatalogue(t *testing.T) {
	t.Parallel()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{}
	for i := range devices.List {
		h.Devices = append(h.Devices, devices.List[i].Spec())
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	asked, moved, alone := 0, 0, 0
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			lib := families.Library() // not for several at once
			for i := range work {
				m := models.Models[i]
				rng := rand.New(rand.NewPCG(15, uint64(i)))
				s, err := m.Subject()
				if err != nil {
					t.Error(err)
					continue
				}
				s.Device = h.named("h100-sxm-80gb")
				var q query.Query
				r, fail := report.Answer(q, s, lib)
				if fail != nil {
					continue
				}
				for range *rounds {
					a, b, c := oneKey(t, rng, h, r, m.Slug)
					mu.Lock()
					asked, moved, alone = asked+a, moved+b, alone+c
					mu.Unlock()
				}
			}
		})
	}
	for i := range models.Models {
		work <- i
	}
	close(work)
	wait.Wait()
	t.Logf("%d keys tried, %d moved a figure that was taken apart, %d left one alone", asked, moved, alone)
	if asked < len(models.Models)**rounds/2 || moved < asked/4 || alone < asked/4 {
		t.Error("too few keys say anything")
	}
}

// along is what takes the figure at a path apart key by key. What it asks is kept in known, if there is one.
func along(r *report.Report, h *Host, path string, known map[string]*world) (*builder, *Node) {
	b := &builder{world: world{r: r, numbers: r.Numbers()}, most: 1 << 20, other: func(s *Source, value string) *world {
		if w, ok := known[value]; ok {
			return w
		}
		var w *world
		if x, err := ask(r, h, s, value); err == nil {
			w = &world{r: x, numbers: x.Numbers()}
		}
		if known != nil {
			known[value] = w
		}
		return w
	}}
	root := b.node(path, deepest)
	b.prepare()
	return b, root
}

// TestWholeTrees takes twelve figures of some models apart along every key: a key that moves a figure by a value that no tree
// tries is in its tree, and one that stands there moves the figure to what the tree says, asked by a link as anybody
// would. The models turn with the seed: `-whole 40 -seed 9` takes others, and more of them.
func TestWholeTrees(t *testing.T) {
	t.Parallel()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	h, lib := &Host{}, families.Library()
	for i := range devices.List {
		h.Devices = append(h.Devices, devices.List[i].Spec())
	}
	figures := []string{"parameters.total", "memory.kv_cache.bytes", "memory.weights.bytes", "running.time.decode.seconds", "compute.decode.flops", "memory.training.bytes",
		"parameters.active", "running.largest_context", "compute.train.flops", "running.time.decode.joules_per_token", "memory.total.high", "parameters.by_role.attention"}
	rng := rand.New(rand.NewPCG(*seed, 15))
	trees, keys := 0, 0
	for n := 0; n < *whole; {
		m := models.Models[rng.IntN(len(models.Models))]
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		s.Device = h.named("h100-sxm-80gb")
		r, fail := report.Answer(query.Query{}, s, lib)
		if fail != nil {
			continue
		}
		n++
		sources, known := Sources(r), map[string]*world{}
		var builders []*builder
		var roots []*Node
		for _, path := range figures {
			if b, root := along(r, h, path, known); root.Value.OK() {
				builders, roots = append(builders, b), append(roots, root)
			}
		}
		trees += len(roots)
		for i := range sources {
			s := &sources[i]
			clear(known)
			for j, b := range builders {
				b.try(h, roots[j], i)
			}
			byLink := func(value string) *report.Numbers {
				q := r.Query
				if q.PutKey(s.Key(), value) != nil {
					return nil
				}
				q, issues, fail := query.Parse(q.String())
				if fail != nil || len(issues) > 0 {
					return nil
				}
				x, fail := r.Again(q, h.named(q.Get(query.Device)))
				if fail != nil {
					return nil // without lists that have an entry for each
				}
				return x.Numbers()
			}
			proofs := map[string]*report.Numbers{}
			for j, b := range builders {
				if len(b.steps[i]) == 0 {
					continue
				}
				keys++
				k := &b.steps[i][0]
				x, ok := proofs[k.Try]
				if !ok {
					x = byLink(k.Try)
					proofs[k.Try] = x
				}
				if x == nil {
					if _, whole := s.Value.Int(); !whole {
						t.Errorf("%s: %s=%s cannot be asked", m.Slug, s.Key(), k.Try)
					}
				} else if v := x.Value(roots[j].ID); v == roots[j].Value || v != k.Becomes {
					t.Errorf("%s %s: %s=%s makes it %+v, said %+v", m.Slug, roots[j].ID, s.Key(), k.Try, v, k.Becomes)
				}
			}
			size, ok := s.Value.Int()
			for range 3 {
				if !ok {
					break
				}
				value := strconv.FormatInt(max(1, rng.Int64N(2*max(1, min(size, 1<<40))+9)), 10)
				x := byLink(value)
				for j, b := range builders {
					if x == nil || len(b.steps[i]) > 0 {
						continue
					}
					if v := x.Value(roots[j].ID); v.OK() && v != roots[j].Value {
						t.Errorf("%s: %s=%s moves %s to %+v, and its tree has no such key", m.Slug, s.Key(), value, roots[j].ID, v)
					}
				}
			}
		}
	}
	t.Logf("%d trees with %d keys", trees, keys)
	if trees < 6**whole || keys < 40**whole {
		t.Error("too few figures and keys")
	}
}

// oneKey tries one key of a model.
func oneKey(t *testing.T, rng *rand.Rand, h *Host, r *report.Report, slug string) (asked, moved, alone int) {
	sources := Sources(r)
	i := rng.IntN(len(sources))
	s := &sources[i]
	list := tries(r, h, s)
	if n, ok := s.Value.Int(); ok { // also what the tree does not try
		list = []string{strconv.FormatInt(max(1, n/2+rng.Int64N(max(1, min(n, 1<<40))+9)), 10)}
	}
	if len(list) == 0 {
		return 0, 0, 0
	}
	value := list[rng.IntN(len(list))]
	x, fail := ask(r, h, s, value)
	if fail != nil {
		return 1, 0, 0
	}
	before, after := r.Numbers(), x.Numbers()
	var moves, stays []string
	for _, path := range Paths(r) {
		if ranked(path) || strings.HasPrefix(path, "query") {
			continue
		}
		v, w := before.Value(path), after.Value(path)
		switch {
		case !v.OK():
		case w.Kind != formula.Null && v != w:
			moves = append(moves, path)
		case v == w:
			stays = append(stays, path)
		}
	}
	take := func(paths []string) (string, *Key) {
		path := paths[rng.IntN(len(paths))]
		b, root := along(r, h, path, nil)
		b.try(h, root, i)
		if len(b.steps[i]) == 0 {
			return path, nil
		}
		return path, &b.steps[i][0]
	}
	if len(moves) > 0 {
		path, k := take(moves)
		if k == nil {
			t.Errorf("%s: %s=%s moves %s, and its tree has no such key", slug, s.Key(), value, path)
		}
		moved = 1
	}
	if len(stays) > 0 && rng.IntN(2) == 0 {
		path, k := take(stays)
		alone = 1
		if k == nil {
			return 1, moved, alone
		}
		x, fail := ask(r, h, s, k.Try)
		if fail != nil {
			t.Errorf("%s: %s=%s cannot be asked", slug, s.Key(), k.Try)
			return 1, moved, alone
		}
		if v := x.Numbers().Value(path); v == before.Value(path) || v != k.Becomes {
			t.Errorf("%s %s: %s=%s makes it %+v, said %+v", slug, path, s.Key(), k.Try, v, k.Becomes)
		}
	}
	return 1, moved, alone
}
