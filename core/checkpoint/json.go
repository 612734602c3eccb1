package checkpoint

import (
	"unicode/utf8"

	"llmsize/core/fault"
	"llmsize/core/units"
)

// events is a JSON reader that takes its text in pieces: headers may be many
// megabytes, and config.Parse wants a text whole. It checks the grammar and calls
// on for keys, texts, numbers and the ends of objects and lists.
type events struct {
	on func(e event, text []byte) *fault.Error
	// long says that texts which aren't keys may be cut after maxName bytes: metadata.
	pos   int64 // bytes read so far, for messages
	stack []byte
	state byte // what may come next
	lex   byte // inside what
	buf   []byte
	cut   bool // the text went on after maxName bytes
	hex   int  // digits of a \u that are to come
	rune_ rune
	high  rune // the first half of a surrogate pair
	few   [4]byte
}

// event is what a JSON text brings.
type event uint8

const (
	evKey event = iota
	evText
	evNumber
	evWord // true, false, null
	evObject
	evList
	evEnd
)

// What may come next in the text.
const (
	stValue byte = iota // a value
	stFirst             // a value or the end of an empty list
	stKey0              // a key or the end of an empty object
	stKey               // a key
	stColon
	stAfter // a comma or the end
	stDone
)

// What the reader is inside of.
const (
	inNothing byte = iota
	inText
	inEscape
	inHex
	inNumber
	inWord
)

func (j *events) fail(problem string) *fault.Error {
	return &fault.Error{Problem: problem + ", at byte " + units.Group(j.pos) + " of the header"}
}

// write takes the next piece.
func (j *events) write(p []byte) *fault.Error {
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch j.lex {
		case inText:
			// Most of a header is text: take what is plain in one go.
			k := i
			for k < len(p) && p[k] != '"' && p[k] != '\\' && p[k] >= 0x20 {
				k++
			}
			if k > i {
				j.put(p[i:k])
				j.pos += int64(k - i)
				i = k - 1
				continue
			}
			switch {
			case c == '"':
				j.lex = inNothing
				if j.high != 0 {
					j.flush()
				}
				if err := j.text(); err != nil {
					return err
				}
			case c == '\\':
				j.lex = inEscape
			default:
				return j.fail("there is a control character inside a text")
			}
		case inEscape:
			j.lex = inText
			if c != 'u' && j.high != 0 {
				j.flush()
			}
			switch c {
			case '"', '\\', '/':
				j.one(c)
			case 'b':
				j.one('\b')
			case 'f':
				j.one('\f')
			case 'n':
				j.one('\n')
			case 'r':
				j.one('\r')
			case 't':
				j.one('\t')
			case 'u':
				j.lex, j.hex, j.rune_ = inHex, 4, 0
			default:
				return j.fail("an escape is not known")
			}
		case inHex:
			switch {
			case c >= '0' && c <= '9':
				c -= '0'
			case c >= 'a' && c <= 'f':
				c -= 'a' - 10
			case c >= 'A' && c <= 'F':
				c -= 'A' - 10
			default:
				return j.fail("an escape needs four hexadecimal digits")
			}
			j.rune_ = j.rune_<<4 | rune(c)
			if j.hex--; j.hex == 0 {
				j.lex = inText
				j.putRune()
			}
		case inNumber, inWord:
			if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E' {
				if len(j.buf) < 32 {
					j.buf = append(j.buf, c)
				} else {
					return j.fail("a number is too long")
				}
				break
			}
			if err := j.scalar(); err != nil {
				return err
			}
			i--
			continue
		default:
			if err := j.structure(c); err != nil {
				return err
			}
		}
		j.pos++
	}
	return nil
}

// put adds to the text at hand, up to maxName bytes of it.
func (j *events) put(p []byte) {
	if j.high != 0 {
		j.flush()
	}
	if room := maxName - len(j.buf); len(p) > room {
		p, j.cut = p[:max(room, 0)], true
	}
	j.buf = append(j.buf, p...)
}

// one adds a byte.
func (j *events) one(c byte) {
	j.few[0] = c
	j.put(j.few[:1])
}

// flush writes a surrogate that found no second half.
func (j *events) flush() {
	j.high = 0
	j.put(utf8.AppendRune(j.few[:0], utf8.RuneError))
}

func (j *events) putRune() {
	r := j.rune_
	if j.high != 0 {
		if r >= 0xDC00 && r < 0xE000 {
			r = 0x10000 + (j.high-0xD800)<<10 + (r - 0xDC00)
			j.high = 0
			j.put(utf8.AppendRune(j.few[:0], r))
			return
		}
		j.flush()
	}
	if r >= 0xD800 && r < 0xDC00 {
		j.high = r
		return
	}
	j.put(utf8.AppendRune(j.few[:0], r)) // a lone second half becomes U+FFFD
}

// text ends a text: a key or a value.
func (j *events) text() *fault.Error {
	key := j.state == stKey || j.state == stKey0
	if key && j.cut {
		return j.fail("a name is longer than 4,096 bytes")
	}
	if key && !utf8.Valid(j.buf) {
		return j.fail("a name is not UTF-8")
	}
	if key {
		j.state = stColon
		return j.on(evKey, j.buf)
	}
	j.state = stAfter
	return j.on(evText, j.buf)
}

// scalar ends a number or a word.
func (j *events) scalar() *fault.Error {
	e := evNumber
	if j.lex == inWord {
		e = evWord
		if !is(j.buf, "true") && !is(j.buf, "false") && !is(j.buf, "null") {
			return j.fail("this is not a JSON value")
		}
	}
	j.lex, j.state = inNothing, stAfter
	return j.on(e, j.buf)
}

// structure takes a byte between texts and numbers.
func (j *events) structure(c byte) *fault.Error {
	if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
		return nil
	}
	if j.state == stDone {
		return j.fail("there is more text after the end")
	}
	switch {
	case c == '"' && j.state <= stKey && len(j.stack) > 0:
		j.lex, j.buf, j.cut, j.high = inText, j.buf[:0], false, 0
		return nil
	case c == ':' && j.state == stColon:
		j.state = stValue
		return nil
	case c == ',' && j.state == stAfter:
		j.state = stValue
		if j.stack[len(j.stack)-1] == '{' {
			j.state = stKey
		}
		return nil
	case (c == '}' && (j.state == stKey0 || j.state == stAfter) || c == ']' && (j.state == stFirst || j.state == stAfter)) && len(j.stack) > 0 && j.stack[len(j.stack)-1] == c-2:
		j.stack = j.stack[:len(j.stack)-1]
		if j.state = stAfter; len(j.stack) == 0 {
			j.state = stDone
		}
		return j.on(evEnd, nil)
	case j.state == stValue || j.state == stFirst:
		switch {
		case c == '{' || c == '[':
			if len(j.stack) >= 16 {
				return j.fail("the values are nested too deep")
			}
			j.stack = append(j.stack, c)
			if c == '{' {
				j.state = stKey0
				return j.on(evObject, nil)
			}
			j.state = stFirst
			return j.on(evList, nil)
		case len(j.stack) == 0:
			return j.fail("this is not a JSON object")
		case c == '-' || c >= '0' && c <= '9':
			j.lex, j.buf = inNumber, append(j.buf[:0], c)
			return nil
		case c >= 'a' && c <= 'z':
			j.lex, j.buf = inWord, append(j.buf[:0], c)
			return nil
		}
	}
	return j.fail("this is not JSON (" + quoteByte(c) + " is not expected here)")
}

// quoteByte writes a byte for a message.
func quoteByte(c byte) string {
	if c > 0x20 && c < 0x7f {
		return string(rune(c))
	}
	const digits = "0123456789abcdef"
	return "0x" + string(digits[c>>4]) + string(digits[c&15])
}

// wholeNumber reads a whole number that is not negative.
func wholeNumber(text []byte) (int64, bool) {
	if len(text) == 0 || len(text) > 19 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' || n > (1<<63-1-int64(c-'0'))/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
