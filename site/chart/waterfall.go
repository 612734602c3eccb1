package chart

import (
	"unicode/utf8"

	"llmsize/site/markup"
)

// Fall is a way from one amount to another: First plus all steps is Last.
type Fall struct {
	From, To    string // what both ends are called: "Llama 2 7B"
	First, Last int64
	Steps       []FallStep
	Figure      func(n int64) string // an amount in its short form: "6.74 B"
	Signed      func(n int64) string // a step: "−805 M"
}

// FallStep is one step.
type FallStep struct {
	Name   string // "attention"
	Note   string // what changed: "32 → 40 layers"; may be empty
	Class  string // RoleClass, where the step is a role's; may be empty
	Amount int64
}

// Heights of a waterfall's rows, in pixels.
const (
	fallRow   = 36
	fallBar   = 11
	fallBarAt = 18

	fallLetters = 64 // of a name and its note, that a wide drawing has room for
	fallShort   = 26 // of a name, that a phone has room for beside the figure
)

// Waterfall draws a fall: a row for each amount and each step, its name above its
// bar, bars hung up where the one before ended. A step up is filled, a step down
// is dashed and empty, and each says its sign, so that no colour is needed.
//
// The drawing has no view box: lengths across are percentages, so that it is as
// wide as its place and its letters keep their size. Where all amounts lie close
// together the axis begins above nothing; then whole bars are cut, and
// the last line says where it begins.
func Waterfall(f *Fall) string {
	least, most := f.First, f.First
	at := f.First
	for i := range f.Steps {
		at += f.Steps[i].Amount
		least, most = min(least, at), max(most, at)
	}
	base := min(least, 0)
	if least > 0 && (most-least)/3 < least/8 {
		base = least - (most-least)/3
	}
	cut := base > 0
	rows := len(f.Steps) + 2
	height := int64(rows * fallRow)
	if cut {
		height += 16
	}
	var w markup.Writer
	w.Raw(`<svg class="waterfall" width="100%" role="img" height="`).Int(height).Raw(`"`).Attr("aria-label", f.label()).Raw(`>`)
	zero := f.across(0, base, most)
	if base < 0 {
		w.Lengths(`<line class="zero" x1="@%" x2="@%" y1="0" y2="`, zero, zero).Int(height).Raw(`"/>`)
	}
	row := 0
	bar := func(class, name, note, text string, from, to int64) {
		y := int64(row * fallRow)
		lo, hi := f.across(min(from, to), base, most), f.across(max(from, to), base, most)
		if class == "whole" && cut {
			lo = 0
		}
		if row > 0 {
			x := f.across(from, base, most)
			if class == "whole" {
				x = f.across(to, base, most)
			}
			w.Lengths(`<line class="thread" x1="@%" x2="@%" y1="`, x, x).Int(y - fallRow + fallBarAt + fallBar).Raw(`" y2="`).Int(y + fallBarAt).Raw(`"/>`)
		}
		head, rest := shorten(name)
		w.Raw(`<text y="`).Int(y + 12).Raw(`">`).Text(head)
		if rest != "" {
			w.Raw(`<tspan class="rest">`).Text(rest).Raw(`</tspan><tspan class="short"> …</tspan>`)
		}
		if note != "" && utf8.RuneCountInString(name+note) <= fallLetters { // the table behind says all of them
			w.Raw(` <tspan class="note" dx="4">`).Text(note).Raw(`</tspan>`)
		}
		w.Raw(`</text><text class="figure" x="100%" y="`).Int(y + 12).Raw(`">`).Text(text).Raw(`</text>`)
		lo = min(lo, 100_00-40) // where the narrowest bar still is inside
		w.Raw(`<rect class="`).Text(class).Lengths(`" x="@%" width="@%" y="`, lo, max(hi-lo, 40)).Int(y + fallBarAt).Raw(`" height="`).Int(fallBar).Raw(`"/>`)
		if class == "whole" && cut {
			w.Raw(`<path class="cut" d="M14 `).Int(y + fallBarAt - 3).Raw(`l-5 17m10 0l5-17"/>`)
		}
		row++
	}
	bar("whole", f.From, "", f.Figure(f.First), 0, f.First)
	at = f.First
	for i := range f.Steps {
		s := &f.Steps[i]
		class := "plus"
		if s.Amount < 0 {
			class = "minus"
		}
		if s.Class != "" {
			class += " " + s.Class
		}
		bar(class, s.Name, s.Note, f.Signed(s.Amount), at, at+s.Amount)
		at += s.Amount
	}
	bar("whole", f.To, "", f.Figure(f.Last), 0, f.Last)
	if cut {
		w.Raw(`<text class="note" y="`).Int(height - 3).Raw(`">Bars are cut: the axis begins at `).Text(f.Figure(base)).Raw(`</text>`)
	}
	return w.Raw(`</svg>`).String()
}

// shorten parts a name that is too long for a phone before a word: the rest is for wider screens.
func shorten(name string) (head, rest string) {
	if utf8.RuneCountInString(name) <= fallShort {
		return name, ""
	}
	at, letters := 0, 0
	for i, r := range name {
		if letters++; letters > fallShort {
			break
		}
		if r == ' ' {
			at = i
		}
	}
	if at == 0 {
		return name, ""
	}
	return name[:at], name[at:]
}

// across is where an amount stands, in hundredths of a percent.
func (f *Fall) across(n, base, most int64) px {
	return min(mulDiv(n-base, 100_00, most-base), 100_00)
}

// label says the fall in a sentence.
func (f *Fall) label() string {
	s := f.From + " " + f.Figure(f.First)
	for i := range f.Steps {
		s += ", " + f.Steps[i].Name + " " + f.Signed(f.Steps[i].Amount)
	}
	return s + ", " + f.To + " " + f.Figure(f.Last)
}
