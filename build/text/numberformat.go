package text

import (
	"errors"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"llmsize/core/units"
)

// format writes a value; of is the second operand of percent and ratio.
func format(v, of Value, name string) (string, error) {
	if v.IsText {
		if name != "exact" {
			return "", errors.New("the field is text and has no other format")
		}
		return v.Text, nil
	}
	switch name {
	case "exact", "plain":
		if v.IsFloat {
			return "", errors.New("the field is not a whole number: write short or sci")
		}
		if name == "plain" {
			return strconv.FormatInt(v.Int, 10), nil
		}
		return units.Group(v.Int), nil
	case "short":
		return short(v), nil
	case "gb", "gib":
		// What an expression comes to has no unit of its own; its author knows that it is bytes.
		if v.Unit != Bytes && v.Unit != Count || v.IsFloat {
			return "", errors.New("the field is not a number of bytes")
		}
		return units.Bytes(v.Int).In(name), nil
	case "sci":
		return scientific(v.float()), nil
	}
	if of.IsText || of.float() == 0 {
		return "", errors.New("the second field is zero or text, nothing can be its part")
	}
	decimals := 2
	if _, digits, ok := strings.Cut(name, "."); ok {
		decimals, _ = strconv.Atoi(digits)
	}
	if v.IsFloat || of.IsFloat {
		q := v.float() / of.float()
		if name == "percent" {
			return strconv.FormatFloat(100*q, 'f', 1, 64) + "%", nil
		}
		if decimals == 0 && math.Abs(q) < 1<<53 {
			return units.Group(int64(math.Round(q))), nil
		}
		return strconv.FormatFloat(q, 'f', decimals, 64), nil
	}
	if name == "percent" {
		return units.Percent(v.Int, of.Int), nil
	}
	return units.Fixed(v.Int, of.Int, decimals), nil
}

func (v Value) float() float64 {
	if v.IsFloat {
		return v.Float
	}
	return float64(v.Int)
}

// short writes three significant digits with the unit's prefix.
func short(v Value) string {
	switch {
	case v.Unit == Bytes && !v.IsFloat:
		return units.Bytes(v.Int).GB()
	case v.Unit == FLOPs:
		return prefixed(v.float(), " ", "FLOP")
	case v.Unit == Seconds:
		return seconds(v.float())
	case v.Unit == Joules:
		return units.Joules(v.float()).Short()
	case v.IsFloat:
		return prefixed(v.Float, " ", "")
	}
	return units.Params(v.Int).Short()
}

var prefixes = []string{"", "k", "M", "G", "T", "P", "E", "Z", "Y"}

// prefixed writes three significant digits with a decimal prefix: "15.1 TFLOP".
func prefixed(v float64, space, unit string) string {
	digits, exponent := threeDigits(v)
	k := exponent / 3
	if exponent < 0 || k >= len(prefixes) {
		return scientific(v) + space + unit
	}
	return strings.TrimRight(point(digits, exponent-3*k)+space+prefixes[k]+unit, " ")
}

// seconds writes a time with three significant digits in the unit that suits it.
func seconds(v float64) string {
	switch {
	case v == 0:
		return "0 s"
	case v < 1e-3:
		return significant(v*1e6) + " µs"
	case v < 1:
		return significant(v*1e3) + " ms"
	case v < 120:
		return significant(v) + " s"
	case v < 7200:
		return significant(v/60) + " min"
	case v < 172800:
		return significant(v/3600) + " h"
	}
	return significant(v/86400) + " days"
}

func significant(v float64) string {
	digits, exponent := threeDigits(v)
	if exponent < 0 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return point(digits, exponent)
}

// threeDigits gives the first three digits, rounded, and the power of ten of the first.
func threeDigits(v float64) (string, int) {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return "000", 0
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return strings.Replace(mantissa, ".", "", 1), e
}

// point puts the decimal point into three digits behind the place of 10^exponent.
func point(digits string, exponent int) string {
	if exponent >= 2 {
		s := digits + strings.Repeat("0", exponent-2)
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return units.Group(n)
		}
		return s
	}
	return digits[:exponent+1] + "." + digits[exponent+1:]
}

// scientific writes "1.23 × 10^23", the power in TeX's way: the modes turn it into theirs.
func scientific(v float64) string {
	digits, exponent := threeDigits(v)
	return fmt.Sprintf("%s × 10^%d", point(digits, 0), exponent)
}

var texEscape = strings.NewReplacer("&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, `\`, `\backslash `)

// Plain is the number as text, for code and attributes.
func (r Result) Plain() string { return superscript(r.text) }

// TeX is the number for a formula: 12{,}288, 8.03\,\text{B}, 1.23 \times 10^{23}.
func (r Result) TeX() string {
	if r.Value.IsText {
		return `\text{` + texEscape.Replace(r.text) + `}`
	}
	s, power, hasPower := strings.Cut(r.text, " × 10^")
	if hasPower {
		power, unit, _ := strings.Cut(power, " ")
		s += ` \times 10^{` + power + `}`
		if unit != "" {
			s += " " + unit
		}
	} else if number, unit, ok := strings.Cut(s, " "); ok {
		s = number + `\,\text{` + unit + `}`
	}
	s = strings.ReplaceAll(s, ",", "{,}")
	s = strings.ReplaceAll(s, `\{,}`, `\,`)
	return strings.ReplaceAll(s, "%", `\%`)
}

// HTML is the number in a <data> element that names where it comes from. Its space does not break.
func (r Result) HTML() string {
	if r.Value.IsText {
		return html.EscapeString(r.text)
	}
	value := strconv.FormatInt(r.Value.Int, 10)
	if r.Value.IsFloat {
		value = strconv.FormatFloat(r.Value.Float, 'g', -1, 64)
	}
	return fmt.Sprintf(`<data value="%s" data-field="%s" data-query="%s">%s</data>`,
		value, html.EscapeString(r.Field), html.EscapeString(r.Query), r.inside())
}

// inside is what is in the element.
func (r Result) inside() string {
	return strings.ReplaceAll(html.EscapeString(superscript(r.text)), " ", "\u00a0")
}

var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")

// superscript turns "10^23" into "10²³".
func superscript(s string) string {
	before, power, ok := strings.Cut(s, "10^")
	if !ok {
		return s
	}
	power, rest, hasRest := strings.Cut(power, " ")
	if hasRest {
		rest = " " + rest
	}
	return before + "10" + raised.Replace(power) + rest
}
