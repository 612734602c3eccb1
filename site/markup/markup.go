// Package markup writes HTML and SVG text.
//
// It is what html/template would be if that compiled to a small program: markup is what the program was compiled with
// ([Writer.Raw]) or what a Writer wrote ([Writer.Add]); everything else, a config's included, is text ([Writer.Text]) and is
// escaped.
package markup

import "llmsize/core/units"

// Writer collects markup. The zero Writer is empty and ready.
type Writer struct{ b []byte }

// String returns what was written.
func (w *Writer) String() string { return string(w.b) }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return len(w.b) }

// constant is a text that the program was compiled with. No other package can name the type, so that only what is written
// there between quotes becomes one.
type constant string

// Raw writes markup as it stands.
func (w *Writer) Raw(parts ...constant) *Writer {
	for _, s := range parts {
		w.b = append(w.b, s...)
	}
	return w
}

// Markup is what a Writer wrote. A text that is made one by hand was looked at by whoever did so: it holds nothing of a
// config or a link that was not escaped.
type Markup string

// Markup returns what was written, for another Writer.
func (w *Writer) Markup() Markup { return Markup(w.b) }

// Text is any text as markup.
func Text(s string) Markup { return new(Writer).Text(s).Markup() }

// Add writes what a Writer wrote.
func (w *Writer) Add(m Markup) *Writer {
	w.b = append(w.b, m...)
	return w
}

// Text writes text, escaped for content and for quoted attributes alike.
func (w *Writer) Text(s string) *Writer {
	from := 0
	for i := 0; i < len(s); i++ {
		var by string
		switch s[i] {
		case '&':
			by = "&amp;"
		case '<':
			by = "&lt;"
		case '>':
			by = "&gt;"
		case '"':
			by = "&#34;"
		case '\'':
			by = "&#39;"
		case 0:
			by = "\uFFFD"
		default:
			continue
		}
		w.b = append(w.b, s[from:i]...)
		w.b = append(w.b, by...)
		from = i + 1
	}
	w.b = append(w.b, s[from:]...)
	return w
}

// Attr writes ` name="value"`, the value escaped.
func (w *Writer) Attr(name constant, value string) *Writer {
	return w.Raw(" ", name, `="`).Text(value).Raw(`"`)
}

// Int writes a whole number in plain digits.
func (w *Writer) Int(n int64) *Writer {
	w.b = append(w.b, units.Itoa(n)...)
	return w
}

// Px writes a length of hundredths of a pixel as CSS and SVG read it: 1250 is
// "12.5". Lengths are whole hundredths so that every host writes the same digits.
func (w *Writer) Px(c int64) *Writer {
	if c < 0 {
		w.b = append(w.b, '-')
		c = -c
	}
	w.b = append(w.b, units.Itoa(c/100)...)
	if r := c % 100; r != 0 {
		w.b = append(w.b, '.', byte('0'+r/10))
		if r%10 != 0 {
			w.b = append(w.b, byte('0'+r%10))
		}
	}
	return w
}

// Lengths writes markup in which each @ stands for the next length, as Px writes
// it: Lengths("M@ @h@", 0, 100, 250) is "M0 1h2.5".
func (w *Writer) Lengths(form constant, lengths ...int64) *Writer {
	from, n := 0, 0
	for i := 0; i < len(form); i++ {
		if form[i] == '@' && n < len(lengths) {
			w.b = append(w.b, form[from:i]...)
			w.Px(lengths[n])
			from, n = i+1, n+1
		}
	}
	w.b = append(w.b, form[from:]...)
	return w
}

// Count writes an exact number whose thousands stand apart by a thin gap. The
// gap is made by the stylesheet, so that a copy of the number is plain digits.
func (w *Writer) Count(n int64) *Writer {
	s := units.Itoa(n)
	sign := 0
	if s[0] == '-' {
		sign = 1
	}
	head := sign + (len(s)-sign-1)%3 + 1
	w.Raw(`<span class="n">`).Text(s[:head])
	for i := head; i < len(s); i += 3 {
		w.Raw("<span>").Text(s[i : i+3]).Raw("</span>")
	}
	return w.Raw("</span>")
}

// Plain returns the text of markup that this package wrote: tags left out, the
// escapes of Text undone. It is for tests and for announcements.
func Plain(html string) string {
	out := make([]byte, 0, len(html))
	for i := 0; i < len(html); {
		switch html[i] {
		case '<':
			for i < len(html) && html[i] != '>' {
				i++
			}
			i++
		case '&':
			n, by := 1, "&"
			for _, e := range [...][2]string{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&#34;", `"`}, {"&#39;", "'"}} {
				if len(html)-i >= len(e[0]) && html[i:i+len(e[0])] == e[0] {
					n, by = len(e[0]), e[1]
				}
			}
			out = append(out, by...)
			i += n
		default:
			out = append(out, html[i])
			i++
		}
	}
	return string(out)
}
