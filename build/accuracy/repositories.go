package accuracy

import (
	"bytes"
	"fmt"
	"strings"

	"llmsize/content/catalogue"
	"llmsize/core/checkpoint"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
)

// repositoryTable sets what published checkpoints hold beside what their classes build, with each reason. The integers are
// others': they read them off the files' headers, and the catalogue names whom (content/models).
func repositoryTable(b *bytes.Buffer, d *desk) error {
	library := families.Library()
	var rows strings.Builder
	equal, beside, unknown := 0, 0, 0
	for i := range d.catalogue.Models {
		m := &d.catalogue.Models[i]
		p := m.Published
		if p == nil || !p.OffCheckpoint() && m.Stored == nil {
			continue
		}
		s, err := m.Subject()
		if err != nil {
			return err
		}
		r, fail := report.Answer(query.Query{}, s, library)
		if fail != nil {
			return fmt.Errorf("%s: %w", m.Slug, fail)
		}
		want, held := p.Total, int64(r.Parameters.Stored)
		x := r.Parameters.Repository
		if x != nil {
			held = int64(x.Total)
		}
		counted := held
		var why []string
		if m.Stored != nil {
			want = m.Stored.Total
			if counted, err = m.Stored.Counted(held); err != nil {
				return fmt.Errorf("%s: %w", m.Slug, err)
			}
		}
		if x == nil && int64(r.Parameters.Total) == want || counted == want && x != nil && len(x.Terms) == 0 && x.Missing == 0 && m.Stored == nil {
			equal++
			continue
		}
		if x != nil {
			for _, t := range x.Terms {
				why = append(why, "+ "+units.Group(int64(t.Parameters))+" "+wordsOf(m, t.Reason))
			}
			if x.Missing > 0 {
				why = append(why, "− "+units.Group(int64(x.Missing))+" buffers that it lacks")
			}
		}
		if m.Stored != nil {
			for _, t := range []*catalogue.StoredTerm{m.Stored.More, m.Stored.Less} {
				if t != nil {
					why = append(why, t.What)
				}
			}
		}
		mark := "equal"
		if beside++; counted != want {
			beside--
			unknown++
			mark = units.Group(want-counted) + " not explained"
			if want < counted {
				mark = units.Group(counted-want) + " fewer, not explained"
			}
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s |\n", m.Slug, units.Group(int64(r.Parameters.Stored)), strings.Join(why, "; "), units.Group(held), units.Group(want), mark)
	}
	fmt.Fprintf(b, words("repositories"), equal, rows.String(), beside, unknown)
	return nil
}

// wordsOf says what is stored beside a model for a reason: in the words of its file, where that has some.
func wordsOf(m *catalogue.Model, reason string) string {
	if m.Stored != nil {
		for _, t := range m.Stored.Terms {
			if t.Reason == reason {
				return t.What
			}
		}
	}
	return checkpoint.ReasonWords(reason)
}
