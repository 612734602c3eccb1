package answers

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"llmsize/core/report"
	"llmsize/core/units"
	"llmsize/site/markup"
)

// entry is a tensor as a header lists it: its name, its shape, and where its data begin and end.
type entry struct {
	name, shape string
	from, to    int64
}

// shown is how many of the model's tensors the file that is drawn holds.
const shown = 3

// file draws a safetensors file that holds the first tensors of the question's model, in 16 bits: eight bytes of length, the
// header's entries, and the data that each of them points to.
//
//	kind=file query=…
func (e *Engine) file(question string) (string, error) {
	r, err := e.report(question)
	if err != nil {
		return "", err
	}
	list, length := header(r)
	if len(list) < shown {
		return "", fmt.Errorf("the model has too few tensors to show: %s", r.Query.String())
	}
	var w markup.Writer
	w.Raw(`<div class="graph">`)
	for i, width := range []int64{600, 328} {
		w.Raw(`<div class="`).Text([...]string{"wide", "narrow"}[i]).Raw(`">`)
		fileSVG(&w, list, length, width)
		w.Raw(`</div>`)
	}
	return w.Raw(`</div>`).String(), nil
}

// header lists a model's first tensors, one of a kind, and says how many bytes their header has: JSON, with spaces up to a
// multiple of eight (safetensors, README).
func header(r *report.Report) (list []entry, length int64) {
	text, at, seen := "{", int64(0), map[string]bool{}
	for _, run := range r.Model.Runs() {
		t := run.Tensor
		var sides []string
		for _, d := range t.Dims {
			sides = append(sides, units.Itoa(d.Size))
		}
		shape := strings.Join(sides, ", ")
		if len(list) == shown || seen[shape] {
			continue
		}
		seen[shape] = true
		first := ""
		run.Names(func(name string) {
			if first == "" {
				first = name
			}
		})
		x := entry{first, shape, at, at + 2*t.Elements}
		if len(list) > 0 {
			text += ","
		}
		text += fmt.Sprintf(`%q:{"dtype":"BF16","shape":[%s],"data_offsets":[%d,%d]}`, x.name, strings.ReplaceAll(shape, " ", ""), x.from, x.to)
		list, at = append(list, x), x.to
	}
	return list, (int64(len(text)) + 1 + 7) / 8 * 8
}

func fileSVG(w *markup.Writer, list []entry, length, width int64) {
	const top, cell, row, strip = 20, 30, 44, 34
	wide := width > 400
	whole := int64(top + cell + 34 + len(list)*row + 46 + strip + 24)
	words := fmt.Sprintf("The first 8 bytes say that the header has %s bytes. It lists the tensors, and behind it come their data:", units.Group(length))
	for _, x := range list {
		words += fmt.Sprintf(" %s, bytes %s to %s;", x.name, units.Group(x.from), units.Group(x.to-1))
	}
	w.Raw(`<svg class="chart" viewBox="0 0 `).Int(width).Raw(" ").Int(whole).Raw(`" width="`).Int(width).Raw(`" height="`).Int(whole).Raw(`" role="img"`).Attr("aria-label", strings.TrimSuffix(words, ";")+".").Raw(`>`)
	put := func(class string, x, y int64, text string) {
		w.Raw(`<text class="`).Text(class).Raw(`" x="`).Int(x).Raw(`" y="`).Int(y).Raw(`">`).Text(text).Raw(`</text>`)
	}
	box := func(class string, x, y, wide, high int64) {
		w.Raw(`<path class="`).Text(class).Raw(`" d="M`).Int(x).Raw(" ").Int(y).Raw(`h`).Int(wide).Raw(`v`).Int(high).Raw(`h-`).Int(wide).Raw(`z"/>`)
	}
	// The length, lowest byte first.
	put("own", 1, 13, "8 bytes: the header's length")
	each := min((width-2)/8, 44)
	for i, b := range binary.LittleEndian.AppendUint64(nil, uint64(length)) {
		x := 1 + int64(i)*each
		box("fill f-C", x, top, each, cell)
		put("mid", x+each/2, top+20, fmt.Sprintf("%02x", b))
	}
	if wide {
		put("own", 1+8*each+12, top+20, "lowest first: "+units.Group(length)+" bytes follow")
	}
	// The header's entries.
	y := int64(top + cell + 34)
	put("own", 1, y-8, units.Group(length)+" bytes: the header")
	box("fill f-C", 1, y, width-2, int64(len(list))*row)
	for i, x := range list {
		at := y + int64(i)*row
		put("own", 10, at+18, `"`+x.name+`"`)
		put("end", width-10, at+36, "BF16 ["+x.shape+"], bytes "+units.Group(x.from)+"–"+units.Group(x.to))
	}
	// The data: widths follow the logarithm of their bytes, or a norm would not be seen beside an embedding.
	sum := int64(0)
	for _, x := range list {
		sum += int64(bits.Len64(uint64(x.to - x.from)))
	}
	below := y + int64(len(list))*row + 46
	put("own", 1, below-8, "the rest: data (widths are not to scale)")
	at := int64(1)
	for i, x := range list {
		share := (width - 2) * int64(bits.Len64(uint64(x.to-x.from))) / sum
		box([...]string{"band fill f-A", "band fill f-B", "band fill f-D"}[i%3], at, below, share, strip)
		put("mid", at+share/2, below+22, units.Bytes(x.to-x.from).GB())
		put("mid", at+share/2, below+strip+16, short(x.name))
		at += share
	}
	w.Raw(`</svg>`)
}

// short is a tensor's name without what is before its last two words, and without its end.
func short(name string) string {
	name = strings.TrimSuffix(name, ".weight")
	return name[strings.LastIndexByte(name, '.')+1:]
}
