package view

import (
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/chart"
	"llmsize/site/markup"
)

func unitOf(r *report.Report) string { return r.Query.Get(query.Units) }

func roleAt(i int) model.Role { return model.Role(i) }

// swatch is a role's colour with its two letters.
func swatch(w *markup.Writer, role int) {
	r := roleAt(role)
	w.Raw(`<span class="swatch `).Text(chart.RoleClass(r)).Raw(`" aria-hidden="true">`).Text(chart.RoleMark(r)).Raw(`</span> `)
}

// mostRows are the tensors that the table lists: a page of many more could not be
// used. The largest known model has 693 rows.
const mostRows = 1500

// parts is the table of components; each opens to its tensors.
func parts(r *report.Report) string {
	var w markup.Writer
	sp := speaker{r.Model}
	stacks := 0
	for i := range r.Model.Blocks {
		if r.Model.Blocks[i].Index != "" {
			stacks++
		}
	}
	w.Raw(`<table class="parts"><caption>Where the parameters are. Each row opens to its tensors.</caption>`)
	w.Raw(`<thead><tr><th scope="col">Component</th><th scope="col" class="num wide">In one layer</th><th scope="col" class="num wide">Layers</th><th scope="col" class="num">Parameters</th><th scope="col" class="num">Share</th></tr></thead>`)
	rows, more := 0, 0
	for i := range r.Parameters.Components {
		c := &r.Parameters.Components[i]
		if rows+len(c.Rows) > mostRows {
			more++
			continue
		}
		rows += len(c.Rows)
		w.Raw(`<tbody><tr><th scope="row"><details><summary>`)
		for _, role := range rolesOf(c) {
			swatch(&w, role)
		}
		componentName(&w, c, stacks > 1)
		w.Raw(`</summary></details></th><td class="num wide">`)
		if c.InLayers {
			w.Count(int64(c.Each))
		}
		w.Raw(`</td><td class="num wide">`)
		if c.InLayers {
			w.Raw("× ").Count(c.Layers)
		}
		w.Raw(`</td><td class="num">`).Count(int64(c.Total)).Raw(`</td><td class="num">`)
		if c.Total == 0 {
			w.Raw("tied")
		} else {
			w.Text(chart.Share(int64(c.Total), int64(r.Parameters.Stored)))
		}
		w.Raw(`</td></tr><tr class="more"><td colspan="5">`)
		tensors(&w, c, sp)
		w.Raw(`</td></tr></tbody>`)
	}
	if more > 0 {
		w.Raw(`<tbody><tr><td colspan="5">and `).Text(plural(int64(more), "component")).Raw(` more: the table has room for `).Text(units.Group(mostRows)).Raw(` tensors</td></tr></tbody>`)
	}
	w.Raw(`<tfoot><tr><th scope="row">In all`)
	if r.Parameters.Buffers > 0 {
		w.Raw(`, buffers included`)
	}
	w.Raw(`</th><td class="wide"></td><td class="wide"></td><td class="num">`).Count(int64(r.Parameters.Stored)).Raw(`</td><td class="num">100%</td></tr></tfoot></table>`)
	if r.Model.Source != "" {
		w.Raw(`<p class="source">`).Text(r.Model.Family).Raw(`: `).Text(r.Model.Source).Raw(`.</p>`)
	}
	return w.String()
}

// rolesOf lists the roles of a component's tensors: a step with experts has a
// router and shared experts too.
func rolesOf(c *report.Component) []int {
	var out []int
next:
	for i := range c.Rows {
		role := int(c.Rows[i].Role)
		for _, x := range out {
			if x == role {
				continue next
			}
		}
		out = append(out, role)
	}
	return out
}

// componentName writes what a component is, and in which layers.
func componentName(w *markup.Writer, c *report.Component, blocks bool) {
	role := chart.RoleName(c.Role)
	switch {
	case c.Title == c.Role.String() || c.Title == role || has2(c.Title, '{'):
		w.Text(role)
	case !c.InLayers && !has2(c.Title, ' '):
		w.Text(role).Raw(` <span class="quiet"><code>`).Text(c.Title).Raw("</code></span>")
	default:
		w.Text(c.Title)
	}
	if blocks && c.InLayers {
		w.Raw(` <span class="quiet">`).Text(c.Block).Raw("</span>")
	}
	if c.Kind != "" {
		w.Raw(` <span class="quiet">`).Text(chart.KindName(c.Kind)).Raw("</span>")
	}
}

func has2(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

// tensors is the table of a component's tensors: shape in letters, with values,
// the product, how many there are, the sum.
func tensors(w *markup.Writer, c *report.Component, sp speaker) {
	w.Raw(`<div class="scroll" tabindex="0" role="group"`).Attr("aria-label", "Tensors of "+c.Title).Raw(`><table class="tensors"><thead><tr><th scope="col">Tensor</th><th scope="col">Shape</th><th scope="col">With values</th><th scope="col" class="num">Each</th><th scope="col">How many</th><th scope="col" class="num">Parameters</th></tr></thead><tbody>`)
	for i := range c.Rows {
		row := &c.Rows[i]
		w.Raw(`<tr><th scope="row"><code`)
		if row.Full != row.Name {
			w.Attr("title", row.Full)
		}
		w.Raw(`>`).Text(row.Name).Raw("</code></th><td>")
		shape(w, row.Dims, sp.symbols)
		w.Raw("</td><td>")
		shape(w, row.Dims, sp.values)
		w.Raw(`</td><td class="num">`).Count(int64(row.Each)).Raw("</td><td>")
		many(w, c, row)
		w.Raw(`</td><td class="num">`)
		switch {
		case row.TiedTo != "":
			w.Raw(`<span class="quiet">tied to <code>`).Text(row.TiedTo).Raw("</code></span>")
		case row.Buffer:
			w.Count(int64(row.Total)).Raw(` <span class="quiet">buffer</span>`)
		default:
			w.Count(int64(row.Total))
		}
		w.Raw("</td></tr>")
	}
	w.Raw("</tbody></table></div>")
}

// many says how often a row's tensor is in the model.
func many(w *markup.Writer, c *report.Component, row *report.Row) {
	if row.Copies != 1 {
		w.Raw("× ").Count(row.Copies)
		if row.Role == model.Expert {
			w.Raw(" ").Add(sign("E"))
		}
		w.Raw(" ")
	}
	if c.InLayers {
		w.Raw("× ").Count(c.Layers).Raw(" ").Add(sign("L"))
	} else if row.Copies == 1 {
		w.Raw("1")
	}
}
