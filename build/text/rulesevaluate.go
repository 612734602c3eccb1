package text

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// interval is a number as far as its digits say: 3.35 is anything from 3.345 to 3.355, and a whole
// number is itself.
type interval struct{ low, high *big.Rat }

func (a interval) add(b interval) interval {
	return interval{new(big.Rat).Add(a.low, b.low), new(big.Rat).Add(a.high, b.high)}
}

// meets reports whether two numbers can be the same; rounded ones differ by less than one.
func (a interval) meets(b interval, rounded bool) bool {
	low, high := b.low, b.high
	if rounded {
		one := big.NewRat(1, 1)
		low, high = new(big.Rat).Sub(low, one), new(big.Rat).Add(high, one)
	}
	return a.low.Cmp(high) <= 0 && low.Cmp(a.high) <= 0
}

func (a interval) String() string {
	if a.low.Cmp(a.high) == 0 {
		return strings.TrimSuffix(a.low.FloatString(3), ".000")
	}
	return fmt.Sprintf("between %s and %s", a.low.FloatString(6), a.high.FloatString(6))
}

func exact(r *big.Rat) interval { return interval{r, r} }

// near is a number that was worked out in floating point.
func near(x float64) interval {
	r := new(big.Rat).SetFloat64(x)
	if r == nil {
		return exact(new(big.Rat))
	}
	d := new(big.Rat).Mul(new(big.Rat).Abs(r), big.NewRat(1, 1e12))
	return interval{new(big.Rat).Sub(r, d), new(big.Rat).Add(r, d)}
}

// combine applies an operation to the ends of two intervals.
func combine(a, b interval, op func(x, y *big.Rat) *big.Rat) interval {
	var out interval
	for _, x := range []*big.Rat{a.low, a.high} {
		for _, y := range []*big.Rat{b.low, b.high} {
			z := op(x, y)
			if out.low == nil || z.Cmp(out.low) < 0 {
				out.low = z
			}
			if out.high == nil || z.Cmp(out.high) > 0 {
				out.high = z
			}
		}
	}
	return out
}

// units are what a number can be a multiple of.
var ruleUnits = map[string]string{
	"K": "1e3", "M": "1e6", "B": "1e9", "T": "1e12", "kB": "1e3", "MB": "1e6", "GB": "1e9", "TB": "1e12",
	"KiB": "1024", "MiB": "1048576", "GiB": "1073741824", "TiB": "1099511627776",
	"FLOP": "1", "MFLOP": "1e6", "GFLOP": "1e9", "TFLOP": "1e12", "PFLOP": "1e15", "EFLOP": "1e18", "ZFLOP": "1e21", "YFLOP": "1e24",
	"µs": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600", "days": "86400", "%": "1/100",
}

// evaluate works out a side of numbers. It reports false for a side with anything else in it.
func evaluate(side string) (v interval, ok bool) {
	p := &reader{rest: side}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(noNumber); !is {
				panic(r)
			}
			v, ok = interval{}, false
		}
	}()
	v = p.sum()
	if p.peek() != "" {
		return interval{}, false
	}
	return v, true
}

// noNumber ends the reading of a side that is not made of numbers.
type noNumber struct{}

// reader reads one side from the left.
type reader struct{ rest string }

// peek is what comes next: a sign, a command, a digit, or nothing.
func (p *reader) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \n\t")
	for _, command := range []string{`\frac`, `\sqrt`} {
		if strings.HasPrefix(p.rest, command) {
			return command
		}
	}
	if p.rest == "" {
		return ""
	}
	return p.rest[:1]
}

func (p *reader) take(what string) bool {
	if what == "" || p.peek() != what {
		return false
	}
	p.rest = p.rest[len(what):]
	return true
}

func (p *reader) need(what string) {
	if !p.take(what) {
		panic(noNumber{})
	}
}

func (p *reader) sum() interval {
	v := p.product()
	for {
		switch {
		case p.take("+"):
			v = v.add(p.product())
		case p.take("-"):
			v = combine(v, p.product(), func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) })
		default:
			return v
		}
	}
}

func (p *reader) product() interval {
	v := p.power()
	for {
		switch {
		case p.take("*"):
			v = times(v, p.power())
		case p.take("/"):
			v = over(v, p.power())
		default:
			return v
		}
	}
}

func times(a, b interval) interval {
	return combine(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) })
}

func over(a, b interval) interval {
	if b.low.Sign() <= 0 {
		panic(noNumber{})
	}
	return combine(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) })
}

func (p *reader) power() interval {
	base := p.atom()
	if !p.take("^") {
		return base
	}
	exponent := p.atom()
	e := exponent.low.Add(new(big.Rat).Set(exponent.low), exponent.high)
	e.Quo(e, big.NewRat(2, 1)) // an exponent is meant as it is written
	if n := e.Num(); e.IsInt() && n.IsInt64() && n.Int64() >= 0 && n.Int64() <= 64 {
		if int64(max(base.high.Num().BitLen(), base.high.Denom().BitLen(), base.low.Num().BitLen()))*n.Int64() > 1<<12 {
			panic(noNumber{}) // no worked line goes there
		}
		v := exact(big.NewRat(1, 1))
		for range n.Int64() {
			v = times(v, base)
		}
		return v
	}
	x, _ := base.low.Float64()
	y, _ := e.Float64()
	return near(math.Pow(x, y))
}

func (p *reader) atom() interval {
	switch {
	case p.take("("):
		v := p.sum()
		p.need(")")
		return v
	case p.take("{"):
		v := p.sum()
		p.need("}")
		return v
	case p.take(`\frac`):
		above := p.atom()
		return over(above, p.atom())
	case p.take(`\sqrt`):
		v := p.atom()
		low, _ := v.low.Float64()
		high, _ := v.high.Float64()
		return interval{near(math.Sqrt(low)).low, near(math.Sqrt(high)).high}
	}
	return p.number()
}

// number reads digits, and the unit that they are a multiple of.
func (p *reader) number() interval {
	p.peek()
	end := 0
	for end < len(p.rest) && (p.rest[end] >= '0' && p.rest[end] <= '9' || p.rest[end] == '.') {
		end++
	}
	text := p.rest[:end]
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(noNumber{})
	}
	p.rest = p.rest[end:]
	unit := ""
	if after, found := strings.CutPrefix(p.rest, "⟨"); found {
		unit, p.rest, _ = strings.Cut(after, "⟩")
	}
	half := new(big.Rat)
	if _, decimals, has := strings.Cut(text, "."); has || unit != "" {
		half.SetString(fmt.Sprintf("0.5e-%d", len(decimals)))
	}
	out := interval{new(big.Rat).Sub(v, half), new(big.Rat).Add(v, half)}
	if unit == "" {
		return out
	}
	factor, known := new(big.Rat).SetString(ruleUnits[unit])
	if !known {
		panic(noNumber{})
	}
	return times(out, exact(factor))
}
