package bench

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/work"
	"llmsize/site/view"
)

// hard is a question with what it took.
type hard struct {
	Question
	about            string // in words
	steps            int64
	native           time.Duration
	refused          string // the field that is named; empty for an answer
	quick, optimised wasmTime
}

type search struct {
	rand    *rand.Rand
	library *family.Library
	from    *Source
	bases   []Base
	steps   int64
	of      string
	asked   int
	pool    []*candidate // what took longest, first
}

// candidate is a question with what it took.
type candidate struct {
	*Candidate
	hard
}

const pool = 48

func newSearch(root string, r *rand.Rand, steps int64, of string) (*search, error) {
	if of == "edge" && steps == 0 {
		steps = work.Edge
	}
	s := &search{rand: r, library: families.Library(), steps: steps, of: of}
	var err error
	if s.from, err = NewQuestions(os.DirFS(filepath.Join(root, "content")), s.library); err != nil {
		return nil, err
	}
	if s.bases = s.from.Bases; of == "edge" {
		s.bases = s.bases[:s.from.Models] // a link's
	}
	return s, nil
}

// look searches for so long.
func (s *search) look(d time.Duration) {
	end := time.Now().Add(d)
	for i := 0; time.Now().Before(end); i++ {
		var c *candidate
		switch {
		case i < len(s.bases):
			c = begin(s.bases[i])
		case len(s.pool) > 0 && s.rand.IntN(4) > 0:
			c = &candidate{Candidate: s.pool[s.rand.IntN(len(s.pool))].Copy()}
		default:
			c = begin(s.bases[s.rand.IntN(len(s.bases))])
		}
		for range 1 + s.rand.IntN(4) {
			if i >= len(s.bases) {
				s.from.Change(c.Candidate, s.rand)
			}
		}
		s.try(c)
	}
}

func begin(b Base) *candidate {
	return &candidate{Candidate: &Candidate{Base: b}}
}

// try asks a candidate, and keeps it when few took longer. A time is the least of several.
func (s *search) try(c *candidate) {
	c.Question = c.Ask(s.of == "edge")
	if len(c.Query) > 8192 || len(c.Config) > config.MaxBytes {
		return
	}
	s.asked++
	c.native = 1 << 62
	for range 4 {
		start := spent()
		steps, refused := s.answer(c.Question)
		c.native = min(c.native, spent()-start)
		c.steps, c.refused = steps, refused
		if len(s.pool) == pool && c.native < s.pool[pool-1].native {
			return
		}
	}
	at, _ := slices.BinarySearchFunc(s.pool, c, func(a, b *candidate) int { return int(b.native - a.native) })
	for i, o := range s.pool { // one of a base and a way to fill it is enough, or all would soon be one
		if o.Base.Name == c.Base.Name && o.Filled == c.Filled {
			if o.native >= c.native {
				return
			}
			s.pool = slices.Delete(s.pool, i, i+1)
			if i < at {
				at--
			}
			break
		}
	}
	s.pool = slices.Insert(s.pool, at, c)
	s.pool = s.pool[:min(len(s.pool), pool)]
}

// spent is the processor time of this process so far: a machine that does other
// things too makes waiting longer.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// worst are the questions that took longest.
func (s *search) worst(n int) []*hard {
	var out []*hard
	for _, c := range s.pool[:min(n, len(s.pool))] {
		c.about = c.Words()
		out = append(out, &c.hard)
	}
	return out
}

// answer asks a question natively as the page does, and says which field was refused.
func (s *search) answer(x Question) (steps int64, refused string) {
	budget := work.New(s.steps)
	q, _, err := query.Parse(x.Query)
	var subject report.Subject
	if err == nil {
		subject.Config, err = config.ParseObjectWithin(x.Config, budget)
	}
	if err == nil && x.Device != "" {
		var v config.Value
		if v, err = config.ParseObject(x.Device); err == nil {
			subject.Device, err = device.Parse(&v, nil)
		}
	}
	subject.Work = budget
	var r *report.Report
	if err == nil {
		if s.of == "edge" && view.DescribedBySizes(&q) {
			r, err = report.Briefly(q, subject, s.library)
		} else {
			r, err = report.Answer(q, subject, s.library)
		}
	}
	if err != nil {
		return budget.Used(), cmp.Or(err.Field, err.Problem)
	}
	switch s.of {
	case "edge":
		view.Headline(r)
		view.Described(r)
	case "worker":
		for _, region := range view.OnUse() {
			region.HTML(r)
		}
	default:
		for _, region := range view.All() {
			region.HTML(r)
		}
		view.Compare(r, nil)
		view.Mine(r)
	}
	return budget.Used(), ""
}
