package text

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	expression "llmsize/core/formula"
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

// ruleUnits are what a number can be a multiple of.
var ruleUnits = map[string]string{
	"K": "1e3", "M": "1e6", "B": "1e9", "T": "1e12", "kB": "1e3", "MB": "1e6", "GB": "1e9", "TB": "1e12",
	"KiB": "1024", "MiB": "1048576", "GiB": "1073741824", "TiB": "1099511627776",
	"FLOP": "1", "MFLOP": "1e6", "GFLOP": "1e9", "TFLOP": "1e12", "PFLOP": "1e15", "EFLOP": "1e18", "ZFLOP": "1e21", "YFLOP": "1e24",
	"µs": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600", "days": "86400", "%": "1/100",
}

// evaluate works out a side of numbers. It reports false for a side with anything else in it.
func evaluate(side string) (v interval, ok bool) {
	e, problem := expression.Parse(fractions(quantities.ReplaceAllString(side, `of($1,"$2")`)))
	if problem != "" {
		return v, false
	}
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(noNumber); !is {
				panic(r)
			}
			v, ok = interval{}, false
		}
	}()
	return worth(e), true
}

var quantities = regexp.MustCompile(`([\d.]+)⟨([^⟩]*)⟩`)

// fractions writes \frac{a}{b} as ((a)/(b)), and braces as parentheses.
func fractions(side string) string {
	before, after, found := strings.Cut(side, `\frac`)
	if !found {
		return strings.NewReplacer("{", "(", "}", ")", `\sqrt`, "sqrt", "\n", " ").Replace(side)
	}
	above, rest := braced(after)
	below, rest := braced(rest)
	return fractions(before) + "((" + fractions(above) + ")/(" + fractions(below) + "))" + fractions(rest)
}

// braced is what is in the braces that a text begins with, and what comes behind them.
func braced(s string) (inside, rest string) {
	s = strings.TrimLeft(s, " \n\t")
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return strings.TrimPrefix(s[:i], "{"), s[i+1:]
		}
	}
	return s, ""
}

// noNumber ends the reading of a side that is not made of numbers.
type noNumber struct{}

// worth is what an expression of numbers comes to.
func worth(e *expression.Node) interval {
	arg := func(i int) interval { return worth(e.Args[i]) }
	switch {
	case e.Op == expression.Const && e.Kind == expression.Int:
		return digitsOf(strconv.FormatInt(e.N, 10), "")
	case e.Op == expression.Const && e.Kind == expression.Float:
		return digitsOf(e.Text, "")
	case e.Op == expression.Call && e.Name == "of" && len(e.Args) == 2:
		text := e.Args[0].Text
		if text == "" {
			text = strconv.FormatInt(e.Args[0].N, 10)
		}
		return digitsOf(text, e.Args[1].Text)
	case e.Op == expression.Call && e.Name == "sqrt" && len(e.Args) == 1:
		v := arg(0)
		low, _ := v.low.Float64()
		high, _ := v.high.Float64()
		return interval{near(math.Sqrt(low)).low, near(math.Sqrt(high)).high}
	case e.Op == expression.Add:
		return arg(0).add(arg(1))
	case e.Op == expression.Sub:
		return combine(arg(0), arg(1), func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) })
	case e.Op == expression.Mul:
		return times(arg(0), arg(1))
	case e.Op == expression.Div:
		return over(arg(0), arg(1))
	case e.Op == expression.Pow:
		return power(arg(0), arg(1))
	}
	panic(noNumber{})
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

func power(base, exponent interval) interval {
	e := new(big.Rat).Add(exponent.low, exponent.high)
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

// digitsOf is a number as far as its digits say, and the unit that it is a multiple of.
func digitsOf(text, unit string) interval {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(noNumber{})
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
