package main

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"

	"llmsize/core/spell"
)

// output is a stream that the command writes to. Characters that nobody sees are spelled out
// on their way, for a file or a link may hold what moves a terminal's cursor, and JSON says the same with them
// spelled. It remembers the first write that failed, so that no caller has to look at each.
type output struct {
	w    *bufio.Writer
	rest []byte // of a character that is not whole yet
	err  error
}

func newOutput(w io.Writer) *output { return &output{w: bufio.NewWriterSize(w, 1<<16)} }

// Write implements io.Writer. Line feeds and tabs pass: they are the caller's own, who spells out those
// of what a line shows (spell.Out).
func (o *output) Write(p []byte) (int, error) {
	text := p
	if len(o.rest) > 0 {
		text = append(o.rest, p...)
		o.rest = nil
	}
	from := 0
	for i := 0; i < len(text) && o.err == nil; {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			if !utf8.FullRune(text[i:]) {
				o.put(text[from:i])
				o.rest = append([]byte(nil), text[i:]...)
				return len(p), o.err
			}
			r, n = utf8.DecodeRune(text[i:])
		}
		bad := r == utf8.RuneError && n == 1
		if bad || spell.Hidden(r) && r != '\n' && r != '\t' {
			o.put(text[from:i])
			if bad {
				o.put([]byte("\ufffd"))
			} else {
				o.put(spell.Append(nil, r))
			}
			from = i + n
		}
		i += n
	}
	o.put(text[from:])
	return len(p), o.err
}

func (o *output) put(text []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(text)
	}
}

// close writes what is left, and returns what went wrong first.
func (o *output) close() error {
	if len(o.rest) > 0 {
		o.rest = nil
		o.put([]byte("\ufffd"))
	}
	if o.err == nil {
		o.err = o.w.Flush()
	}
	if o.err != nil {
		return fmt.Errorf("standard output: not everything could be written: %w", o.err)
	}
	return nil
}
