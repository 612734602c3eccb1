// Package asked answers questions about models and devices of the catalogue, for tests of what reads a report.
package asked

import (
	"sync"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

// Answer is the report for a link's query, "model=…&device=…", with or without its version.
func Answer(t testing.TB, link string) *report.Report {
	t.Helper()
	if len(link) < 2 || link[:2] != "v=" {
		link = "v=1&" + link
	}
	q, issues, fail := query.Parse(link)
	if fail != nil || len(issues) > 0 {
		t.Fatal(fail, issues)
	}
	all, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	m, ok := all.Find(q.Get(query.Model))
	if !ok {
		t.Fatalf("no model %s", q.Get(query.Model))
	}
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	d, ok := devices.Find(q.Get(query.Device))
	if !ok {
		t.Fatalf("no device %s", q.Get(query.Device))
	}
	s.Device = d.Spec()
	r, fail := report.Answer(q, s, library(&s.Config))
	if fail != nil {
		t.Fatal(fail)
	}
	return r
}

// read is a library that has read the families of what was asked: its copies need not read them again.
var read = struct {
	sync.Mutex
	all func() *family.Library
}{all: sync.OnceValue(families.Library)}

// library is a copy for one answer.
func library(cfg *config.Value) *family.Library {
	read.Lock()
	defer read.Unlock()
	if kind := cfg.Get("model_type"); kind != nil {
		_, _ = read.all().Declared(kind.Text) // an answer says what is wrong with it
	}
	return read.all().Copy()
}
