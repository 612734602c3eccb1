// Package asked answers questions about models and devices of the catalogue, for tests of what reads a report.
package asked

import (
	"sync"
	"testing"

	"llmsize/content"
	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
)

var (
	// Models are those of the catalogue, read once.
	Models = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(content.FS()) })

	// Devices are those of the catalogue, read once.
	Devices = sync.OnceValues(func() (*catalogue.Devices, error) { return catalogue.LoadDevices(content.FS()) })
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
	all, err := Models()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := Devices()
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
	r, fail := report.Answer(q, s, families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	return r
}
