package report

import (
	"math/bits"

	"llmsize/core/config"
	"llmsize/core/units"
)

// Field returns a value of the tree by its dotted path, such as
// "parameters.by_role.attention" or "compute.conventions.palm.per_token" (an item
// of a list by its name or its place), or the whole number that an expression over
// paths and whole numbers comes to:
//
//	12*config.num_hidden_layers*config.hidden_size^2
//	config.hidden_size/config.num_attention_heads
//
// The signs are + - * / // ^ and parentheses, without spaces; / must come out
// even, // rounds down, ^ takes a number from 0 to 9. ok is false when a name is
// gone, is no whole number, or a step passes int64: a number in prose then fails
// the build.
func (r *Report) Field(path string) (v config.Value, ok bool) {
	t := r.Tree().Read()
	if v, ok := lookup(t, path); ok {
		return v, true
	}
	s := sum{src: path, tree: t}
	n := s.expr()
	if s.bad || s.pos != len(path) {
		return config.Value{}, false
	}
	return number(n).Read(), true
}

// lookup descends by the dots of a path. Names may hold dots themselves, as
// those of tensors do.
func lookup(v config.Value, path string) (config.Value, bool) {
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' {
			continue
		}
		x := child(v, path[:i])
		if x.Kind == config.Absent {
			continue
		}
		if i == len(path) {
			return x, true
		}
		if x, ok := lookup(x, path[i+1:]); ok {
			return x, true
		}
	}
	return config.Value{}, false
}

// child is a value of an object by its key, of a list by its place from 0, or by
// the name that an item bears: compute.conventions.palm.per_token.
func child(v config.Value, key string) config.Value {
	if v.Kind != config.List {
		return v.Get(key)
	}
	for i := range v.Items {
		if name := v.Items[i].Get("name"); units.Itoa(int64(i)) == key || name.Kind == config.String && name.Text == key {
			return v.Items[i]
		}
	}
	return config.Value{}
}

// sum evaluates an expression while it reads it. bad sticks.
type sum struct {
	src  string
	pos  int
	tree config.Value
	bad  bool
}

// accept steps over a sign.
func (s *sum) accept(sign string) bool {
	if s.bad || len(s.src)-s.pos < len(sign) || s.src[s.pos:s.pos+len(sign)] != sign {
		return false
	}
	s.pos += len(sign)
	return true
}

func (s *sum) expr() int64 {
	n := s.product()
	for {
		switch {
		case s.accept("+"):
			n = s.add(n, s.product())
		case s.accept("-"):
			n = s.add(n, -s.product())
		default:
			return n
		}
	}
}

func (s *sum) product() int64 {
	n := s.power()
	for {
		switch {
		case s.accept("*"):
			n = s.mul(n, s.power())
		case s.accept("//"):
			n = s.div(n, s.power(), false)
		case s.accept("/"):
			n = s.div(n, s.power(), true)
		default:
			return n
		}
	}
}

func (s *sum) power() int64 {
	n := s.operand()
	if !s.accept("^") {
		return n
	}
	if s.pos == len(s.src) || s.src[s.pos] < '0' || s.src[s.pos] > '9' {
		s.bad = true
		return 0
	}
	p := int64(1)
	for range int(s.src[s.pos] - '0') {
		p = s.mul(p, n)
	}
	s.pos++
	return p
}

func (s *sum) operand() int64 {
	if s.accept("(") {
		n := s.expr()
		s.bad = s.bad || !s.accept(")")
		return n
	}
	start := s.pos
	for s.pos < len(s.src) && named(s.src[s.pos]) {
		s.pos++
	}
	v := config.Value{Kind: config.Number, Text: s.src[start:s.pos]}
	if start == s.pos || v.Text[0] < '0' || v.Text[0] > '9' {
		v, _ = lookup(s.tree, v.Text)
	}
	n, ok := v.Int()
	s.bad = s.bad || !ok || v.Kind != config.Number
	return n
}

// named accepts what a path is made of.
func named(c byte) bool {
	return c == '.' || c == '_' || c == '{' || c == '}' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (s *sum) add(a, b int64) int64 {
	n := a + b
	s.bad = s.bad || (n > a) != (b > 0) && b != 0
	return n
}

func (s *sum) mul(a, b int64) int64 {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	s.bad = s.bad || hi != 0 || lo > 1<<63-1
	return a * b
}

func (s *sum) div(a, b int64, even bool) int64 {
	if b <= 0 || a < 0 || even && a%b != 0 {
		s.bad = true
		return 0
	}
	return a / b
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
