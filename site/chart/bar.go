package chart

import (
	"llmsize/core/model"
	"llmsize/core/units"
	"llmsize/site/markup"
)

const barWidth px = 880_00

// Bar draws counts by role as one bar. The widths add up to the whole; a role
// that has anything at all is at least a hairline wide.
func Bar(byRole *[model.NumRoles]units.Params) string {
	total := int64(0)
	for _, n := range byRole {
		total += int64(n)
	}
	var w markup.Writer
	w.Raw(`<svg class="bar" viewBox="0 0 880 28" preserveAspectRatio="none" role="img"`).Attr("aria-label", barLabel(byRole, total)).Raw(">")
	sum := int64(0)
	for r, n := range byRole {
		from := mulDiv(sum, barWidth, total)
		sum += int64(n)
		// Every role keeps its element, so that a change moves it instead of replacing it.
		width := max(mulDiv(sum, barWidth, total)-from, 0)
		if n > 0 {
			width = max(width, 50)
		}
		w.Raw(`<rect class="`).Text(RoleClass(model.Role(r))).Lengths(`" x="@" width="@" height="28">`, from, width)
		if n > 0 {
			w.Raw("<title>").Text(RoleName(model.Role(r))).Raw(" ").Text(Share(int64(n), total)).Raw("</title>")
		}
		w.Raw("</rect>")
	}
	return w.Raw("</svg>").String()
}

func barLabel(byRole *[model.NumRoles]units.Params, total int64) string {
	s := "Parameters by role"
	sep := ": "
	for r, n := range byRole {
		if n > 0 {
			s += sep + RoleName(model.Role(r)) + " " + Share(int64(n), total)
			sep = ", "
		}
	}
	return s
}

// Share is a part as a percentage, in words where it is next to nothing: "under 0.1%".
func Share(part, whole int64) string {
	s := units.Percent(part, whole)
	if s != "" && s[0] == '<' {
		return "under " + s[1:]
	}
	return s
}
