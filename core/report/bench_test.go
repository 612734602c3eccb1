package report_test

import (
	"testing"

	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/train"
)

// heavy are the questions that take longest: of the catalogue's models those with most kinds of layer, on a
// device as they are, and with a run laid out over 128 of them.
var heavy = []string{
	"model=deepseek-v4-pro",
	"model=gemma-4-e2b",
	"model=deepseek-v4-pro&device=hgx-h100-8&devices=16&tp=8&pp=4&dp=4&zero=1",
	"model=glm-5.2&device=hgx-h100-8&devices=16&tp=8&pp=4&dp=4&zero=1",
	"model=nemotron-3-ultra-550b-a55b&device=hgx-h100-8&devices=16&tp=8&pp=4&dp=4&zero=1",
}

// BenchmarkTraining is the training part of an answer; at most 500 µs are wanted.
func BenchmarkTraining(b *testing.B) {
	for _, link := range heavy {
		r := on(b, link)
		if r.Training.Memory == nil {
			b.Fatal(link, r.Training.Fault)
		}
		b.Run(link, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := train.Hold(r.Model, &r.Training.Question); err != nil {
					b.Fatal(err)
				}
				train.Solve(r.Model, &r.Training.Question, r.Subject.Device.Memory)
			}
		})
	}
}

// BenchmarkHeavy is all of an answer; at most 1 ms is wanted.
func BenchmarkHeavy(b *testing.B) {
	lib := families.Library()
	for _, link := range heavy {
		r := on(b, link)
		b.Run(link, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := report.Answer(r.Query, r.Subject, lib); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRankHeavy looks for layouts of 1,024 devices; at most 50 ms are wanted.
func BenchmarkRankHeavy(b *testing.B) {
	for _, slug := range []string{"deepseek-v4-pro", "gemma-4-e2b", "qwen3.8-2.4t-a95b"} {
		r := on(b, "model="+slug+"&device=hgx-h100-8&devices=128&tp=8&pp=4")
		if n := r.Training.Devices; n != 1024 {
			b.Fatalf("%d devices, %v", n, r.Query.Get(query.Devices))
		}
		b.Run(slug, func(b *testing.B) {
			for b.Loop() {
				at := *r
				at.Training.Ranking = nil
				at.Rank()
			}
		})
	}
}
