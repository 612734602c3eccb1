package maths

import (
	"strings"
	"unicode"
)

// dimensions are the letters that stand for one size on the whole site; their
// colours are the classes d-h, d-L … of the stylesheet.
const dimensions = "hLVakdfEKsb"

// verbatim are the commands whose first argument isn't a formula, or is coloured by
// its author: nothing in it is a dimension.
var verbatim = map[string]bool{
	"text": true, "textbf": true, "textit": true, "textrm": true, "mathrm": true, "mathbf": true, "mathcal": true, "mathbb": true, "mathsf": true, "mathit": true,
	"operatorname": true, "begin": true, "end": true, "class": true, "cssId": true, "hspace": true, "mathtt": true, "tt": true,
}

// Letters gives every dimension's letter in a formula its class, \class{d-h}{h}, so
// that it has one colour in prose, tables and drawings. A letter with an index of
// its own is another size (d_v), but for f_E, the width of an expert; a letter
// before a parenthesis is a function (L(N, D)). What an author puts into \class{…}{…}
// or \mathrm{…} stays as it is.
func Letters(tex string) string {
	var b strings.Builder
	for i := 0; i < len(tex); {
		c := tex[i]
		switch {
		case c == '\\':
			j := i + 1
			for j < len(tex) && unicode.IsLetter(rune(tex[j])) {
				j++
			}
			name := tex[i+1 : j]
			if j == i+1 { // \, and its like
				j = min(j+1, len(tex))
			}
			if verbatim[name] {
				j = group(tex, j)
			}
			if name == "class" || name == "cssId" {
				j = group(tex, j)
			}
			b.WriteString(tex[i:j])
			i = j
		case c == '_': // an index
			j := i + 1
			if j < len(tex) && tex[j] != '\\' {
				j = group(tex, j)
			}
			b.WriteString(tex[i:j])
			i = j
		case strings.IndexByte(dimensions, c) >= 0:
			n, class := letterAt(tex, i)
			if class == "" {
				b.WriteString(tex[i : i+n])
			} else {
				b.WriteString(`{\class{d-` + class + `}{` + tex[i:i+n] + `}}`)
			}
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// letterAt says how long the letter at i is, with its index, and which dimension it is.
func letterAt(tex string, i int) (n int, class string) {
	rest := tex[i+1:]
	switch {
	case strings.HasPrefix(tex[i:], "f_E"):
		return 3, "f"
	case strings.HasPrefix(tex[i:], "f_{E}"):
		return 5, "f"
	case strings.HasPrefix(rest, "_"), strings.HasPrefix(rest, "("), strings.HasPrefix(rest, `\left(`), strings.HasPrefix(rest, "'"):
		return 1, ""
	}
	return 1, string(tex[i])
}

// group is the end of the argument that begins at i: braces that match, or one character.
func group(tex string, i int) int {
	for i < len(tex) && tex[i] == ' ' {
		i++
	}
	if i == len(tex) || tex[i] != '{' {
		return min(i+1, len(tex))
	}
	depth := 0
	for ; i < len(tex); i++ {
		switch tex[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(tex)
}
