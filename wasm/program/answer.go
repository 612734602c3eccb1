package program

import (
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/core/work"
	"llmsize/site/view"
)

// Ask answers the question of a message, and keeps the report for its regions; [Answered] is nil where there is none.
func Ask(m *config.Value) []byte {
	answered = nil
	if Other != nil {
		var side [4]string
		for i := range m.Get("others").Items {
			side[i&3] = m.Get("others").Items[i].Text
		}
		Other(side)
	}
	q, issues, err := query.Parse(m.Get("query").Text)
	out := pair([]byte("{"), "query", q.String())
	out = append(out, `,"issues":[`...)
	for i := range issues {
		if i > 0 {
			out = append(out, ',')
		}
		out = problem(out, &issues[i])
	}
	out = append(out, `],"error":`...)
	s := report.Subject{Name: m.Get("name").Text, Slug: m.Get("slug").Text}
	if err == nil {
		s.Work = work.New(Steps)
		s.Config, err = config.ParseObjectWithin(m.Get("config").Text, s.Work)
	}
	if spec := m.Get("device").Text; err == nil && spec != "" && Device != nil {
		s.Device, err = Device(spec)
	}
	if err == nil {
		answered, err = Answer(q, s, library)
	}
	if err != nil {
		answered = nil
		out = problem(out, err)
		if err.Need != "" {
			out = pair(append(out, ','), "need", err.Need)
		}
		return append(out, '}')
	}
	r := answered
	out = pair(append(out, "null,"...), "title", view.Title(r))
	out = pair(append(out, ','), "spoken", view.Spoken(r))
	out = pair(append(out, ','), "published", view.Published(r))
	out = append(out, `,"regions":[`...)
	for i, x := range Regions() {
		if i > 0 {
			out = append(out, ',')
		}
		out = config.AppendQuoted(out, x.ID)
	}
	return append(out, "]}"...)
}

// Answered is the report of the last answer.
func Answered() *report.Report { return answered }

// pair appends a key of an object with its text.
func pair(b []byte, key, text string) []byte {
	return config.AppendQuoted(append(config.AppendQuoted(b, key), ':'), text)
}

// problem appends an error as the page reads it.
func problem(b []byte, e *fault.Error) []byte {
	for i, f := range [...][2]string{{"field", e.Field}, {"given", e.Given}, {"problem", e.Problem}, {"allowed", e.Allowed}, {"hint", e.Hint}} {
		b = pair(append(b, "{,"[min(i, 1)]), f[0], f[1])
	}
	b = append(b, `,"line":`...)
	b = append(b, units.Itoa(int64(e.Line))...)
	return append(b, '}')
}
