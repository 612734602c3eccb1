package text

import "strings"

// The marks around an expression.
const (
	Open  = "{="
	Close = "=}"
)

// ReplaceNumbers puts numbers in the place of every {= … =} of a text; write turns a result into
// the text's own language.
func ReplaceNumbers(text string, r Resolver, query string, write func(Result) string) (string, error) {
	if !strings.Contains(text, Open) {
		return text, nil
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, Open)
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		source, after, ok := strings.Cut(rest, Close)
		if !ok {
			// Nothing closes it, so it is the text's own.
			b.WriteString(Open + rest)
			return b.String(), nil
		}
		e, err := ParseNumber(source)
		if err != nil {
			return "", err
		}
		result, err := e.Eval(r, query)
		if err != nil {
			return "", err
		}
		b.WriteString(write(result))
		text = after
	}
}
