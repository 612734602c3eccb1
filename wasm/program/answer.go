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

// ask is answer without the memory. It keeps the report for its regions.
func ask(link string, s report.Subject, text, spec string) config.Value {
	out := config.Value{Kind: config.Object}
	null := config.Value{Kind: config.Null}
	q, issues, err := query.Parse(link)
	out = out.Set("query", str(q.String()))
	list := config.Value{Kind: config.List}
	for i := range issues {
		list.Items = append(list.Items, faultValue(&issues[i]))
	}
	out = out.Set("issues", list)
	if err == nil {
		s.Work = work.New(Steps)
		s.Config, err = config.ParseObjectWithin(text, s.Work)
	}
	if err == nil && spec != "" && Device != nil {
		s.Device, err = Device(spec)
	}
	var r *report.Report
	if err == nil {
		r, err = Answer(q, s, library)
	}
	if err != nil {
		out = out.Set("error", faultValue(err))
		if err.Need != "" {
			out = out.Set("need", str(err.Need))
		}
		return out
	}
	answered = r
	regions := config.Value{Kind: config.List}
	for _, x := range Regions() {
		regions.Items = append(regions.Items, str(x.ID))
	}
	return out.Set("error", null).Set("title", str(view.Title(r))).Set("spoken", str(view.Spoken(r))).Set("published", str(view.Published(r))).Set("regions", regions)
}

// Ask answers a question for a program's own export: it takes what the export answer takes. The report is nil where
// there is none.
func Ask(link, name, slug, text, spec string) *report.Report {
	answered = nil
	ask(link, report.Subject{Name: name, Slug: slug}, text, spec)
	return answered
}

func str(s string) config.Value { return config.Value{Kind: config.String, Text: s} }

// faultValue is an error as the page reads it.
func faultValue(e *fault.Error) config.Value {
	o := config.Value{Kind: config.Object}
	for _, f := range [...][2]string{{"field", e.Field}, {"given", e.Given}, {"problem", e.Problem}, {"allowed", e.Allowed}, {"hint", e.Hint}} {
		o.Keys, o.Vals = append(o.Keys, f[0]), append(o.Vals, str(f[1]))
	}
	return o.Set("line", config.Value{Kind: config.Number, Text: units.Itoa(int64(e.Line))})
}
