// Package spell spells out characters that nobody sees: what controls a terminal, has no
// width, or turns the direction of the text behind it. A config or a link may hold any of them, and
// text that shows them as they are can read otherwise than it is.
package spell

import "unicode/utf8"

// unseen are Unicode 15's characters of the classes Cc, Cf, Zl and Zp and those that
// the property Default_Ignorable_Code_Point names, as first and last of each row.
var unseen = [...][2]rune{
	{0x00, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x600, 0x605}, {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f},
	{0x890, 0x891}, {0x8e2, 0x8e2}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e},
	{0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
	{0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

// Hidden reports whether nobody sees a character. Line feed and tab are hidden, too: a caller that
// writes lines lets its own pass.
func Hidden(r rune) bool {
	for _, row := range unseen {
		if r <= row[1] {
			return r >= row[0]
		}
	}
	return false
}

// Append appends a character to b as JSON escapes it: `\u202e`, and two such for one above U+FFFF.
// So text of JSON whose strings are spelled out stays the same value.
func Append(b []byte, r rune) []byte {
	if r > 0xffff {
		b = Append(b, 0xd800+(r-0x10000)>>10)
		r = 0xdc00 + (r-0x10000)&0x3ff
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// Out returns s with every hidden character spelled out, line feeds and tabs included, and each
// byte that is no UTF-8 as U+FFFD.
func Out(s string) string {
	var b []byte
	from := 0
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		bad := r == utf8.RuneError && n == 1
		if bad || Hidden(r) {
			b = append(b, s[from:i]...)
			if bad {
				b = append(b, "\ufffd"...)
			} else {
				b = Append(b, r)
			}
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return s
	}
	return string(append(b, s[from:]...))
}
