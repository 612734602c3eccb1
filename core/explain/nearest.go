package explain

import "llmsize/core/query"

// Nearest returns the names of a list that are most like one: by the edits that lead there, and by the words that both
// have. A name with nothing in common is left out.
func Nearest(list []string, name string, n int) []string {
	var out []string
	var costs []int
	if len(name) > 200 {
		return nil
	}
	for _, x := range list {
		c := query.Distance(x, name)
		if c > len(name)/2+2 && !holds(x, name) && !holds(name, x) {
			continue
		}
		at := len(out)
		for at > 0 && costs[at-1] > c {
			at--
		}
		if at == n {
			continue
		}
		out = append(out[:at], append([]string{x}, out[at:]...)...)
		costs = append(costs[:at], append([]int{c}, costs[at:]...)...)
		if len(out) > n {
			out, costs = out[:n], costs[:n]
		}
	}
	return out
}

// holds reports whether a holds b, where b is long enough to tell.
func holds(a, b string) bool {
	if len(b) < 3 {
		return false
	}
	for i := 0; i+len(b) <= len(a); i++ {
		if a[i:i+len(b)] == b {
			return true
		}
	}
	return false
}
