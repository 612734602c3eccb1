package timeline_test

import (
	"testing"
	"time"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/report"
	"llmsize/core/timeline"
)

// BenchmarkTimeline holds the time of a step's timeline, its curve with it, to 0.2 ms for Llama 3.1 8B and to 2 ms for
// every other model of the catalogue: the shortest of some runs, which other work on the machine lengthens least.
func BenchmarkTimeline(b *testing.B) {
	models, err := catalogue.AllModels()
	if err != nil {
		b.Fatal(err)
	}
	run := func(r *report.Report, times int) time.Duration {
		least := time.Hour
		for range times {
			r.Model.Work = nil // each is a question of its own
			start := time.Now()
			if _, fail := timeline.Training(r, true); fail != nil {
				b.Fatal(fail)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	reports := map[string]*report.Report{}
	slowest, longest := "", time.Duration(0)
	for _, m := range models.Models {
		r := asked.Answer(b, "model="+m.Slug)
		if _, fail := timeline.Training(r, false); fail != nil {
			continue
		}
		reports[m.Slug] = r
		if d := run(r, 5); d > longest {
			slowest, longest = m.Slug, d
		}
	}
	for _, x := range []struct {
		slug  string
		limit time.Duration
	}{{"llama-3.1-8b", 200 * time.Microsecond}, {slowest, 2 * time.Millisecond}} {
		b.Run(x.slug, func(b *testing.B) {
			least := time.Hour
			for b.Loop() {
				least = min(least, run(reports[x.slug], 1))
			}
			if least > x.limit {
				b.Errorf("a timeline takes %v, allowed %v", least, x.limit)
			}
		})
	}
}
