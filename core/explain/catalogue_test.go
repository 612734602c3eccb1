package explain

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"llmsize/content"
	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/formula"
	"llmsize/core/query"
	"llmsize/core/report"
)

var rounds = flag.Int("rounds", 1, "how many keys of each model of the catalogue are tried")

// TestKeysOfTheCatalogue: of every model of the catalogue some key is given a random value. Of the figures that this moves, and
// of those that it leaves alone, one each is taken apart along that key: the tree has the key exactly where the figure can be moved,
// and asking by a link what the tree proves it with gives what the tree says.
func TestKeysOfTheCatalogue(t *testing.T) {
	t.Parallel()
	models, err := catalogue.Load(content.FS())
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.LoadDevices(content.FS())
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
		b := &builder{r: r, numbers: r.Numbers(), most: 1 << 20}
		root := b.node(path, deepest)
		b.prepare()
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
