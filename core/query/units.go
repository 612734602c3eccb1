package query

// The largest picture and the longest sound that a question may name.
const (
	maxSide    = 65_536
	maxSeconds = 86_400
)

// Picture returns the size of the picture that is asked for, across and down; 0 when none is.
func (q *Query) Picture() (width, height int64) {
	width, height, _ = readPicture(q.Get(Image))
	return width, height
}

// Millis returns the length of the sound that is asked for, in milliseconds, a day at most; 0 when none is.
func (q *Query) Millis() int64 {
	return int64(min(q.Amount(Sound), maxSeconds) * 1000)
}

// readPicture reads "1024x768"; between the numbers "×" and "X" are understood, too.
func readPicture(text string) (width, height int64, ok bool) {
	for i := 0; i < len(text); i++ {
		rest := ""
		switch {
		case text[i] == 'x' || text[i] == 'X':
			rest = text[i+1:]
		case text[i] == "×"[0] && i+1 < len(text) && text[i+1] == "×"[1]:
			rest = text[i+2:]
		default:
			continue
		}
		w, ok1 := digits(text[:i])
		h, ok2 := digits(rest)
		return w, h, ok1 && ok2 && w > 0 && h > 0 && w <= maxSide && h <= maxSide
	}
	return 0, 0, false
}

// digits reads a whole number of at most nine digits.
func digits(text string) (n int64, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
	}
	return n, text != "" && len(text) < 10
}
