// Package work bounds what one question may take.
//
// Anybody can write a config or a link, and most of what they hold are numbers
// that say how often something is done. So every answer has a [Budget] of steps,
// which the reader of JSON, the interpreter of families, the lists of modules of
// a quantization_config and what is written for each tensor take from. A step is
// some 50 ns of a desktop processor natively and two to three times that as
// WebAssembly; but it is counted, not timed, so that a question is answered
// everywhere or nowhere. Past the budget there is a fault that names the key which took the most.
//
// A real config takes at most a tenth of [Standard]; a test holds all that are
// known to it. build/bench looks for the questions that take longest.
package work

import "llmsize/core/fault"

// Standard is the budget of an answer, in steps, where its host sets no other.
const Standard = 3_000_000

// Edge is the budget at the host's edge, which gives a request 50 ms of a processor: half of that is left when the program
// is there and the page is read.
const Edge = Standard / 8

// Budget is what is left of a question's steps, and for which key they are
// spent. A nil Budget has no end: it is for parts that are used by themselves.
// A Budget belongs to one question; it is not for concurrent use.
type Budget struct {
	all, left int64
	key       string
	err       *fault.Error
}

// New returns a budget of that many steps; of Standard for 0 or less.
func New(steps int64) *Budget {
	if steps <= 0 {
		steps = Standard
	}
	return &Budget{all: steps, left: steps}
}

// About says for which key steps are spent from here on, and returns the key
// before, so that the caller can put it back.
func (b *Budget) About(key string) (before string) {
	if b == nil {
		return ""
	}
	before, b.key = b.key, key
	return before
}

// Spend takes n steps. It reports false once there are none left; the caller
// then stops what it does, and whoever began it asks Err.
func (b *Budget) Spend(n int64) bool {
	if b == nil {
		return true
	}
	if b.err != nil {
		return false
	}
	if n <= b.left {
		b.left -= n
		return true
	}
	b.left = 0
	b.err = &fault.Error{Field: b.key, Problem: "asks for more work than one answer may take", Allowed: "less: every known model takes under a tenth of it",
		Hint: "check the number of digits, and the length of lists"}
	return false
}

// Times is Spend for n times each, however large both are.
func (b *Budget) Times(n, each int64) bool {
	if b != nil && n > 0 && each > b.left/n {
		return b.Spend(b.left + 1)
	}
	return b.Spend(n * each)
}

// Err is nil while there are steps left, else the fault that names the key.
func (b *Budget) Err() *fault.Error {
	if b == nil {
		return nil
	}
	return b.err
}

// Rest is a budget of its own with one part of the steps that are
// left: for what may be asked for again and again once the answer is there.
func (b *Budget) Rest(parts int64) *Budget {
	if b == nil {
		return nil
	}
	n := b.left / parts
	return &Budget{all: n, left: n, key: b.key}
}

// Anew is a budget of as many steps as this one had at first: for what asks many questions of its own once the answer is there.
func (b *Budget) Anew() *Budget {
	if b == nil {
		return nil
	}
	return &Budget{all: b.all, left: b.all, key: b.key}
}

// Used is how many steps have been spent.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.all - b.left
}
