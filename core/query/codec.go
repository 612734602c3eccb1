package query

import (
	"unicode/utf8"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Parse reads a query as it is in a link, with or without "?" and with or
// without a host before it. What it cannot use is named in the warnings, and the
// rest is answered: a link that someone opens must not fail for a key that a
// later or earlier page knew. The error is of a version that does not exist.
func Parse(link string) (Query, []fault.Error, *fault.Error) {
	var q Query
	var issues []fault.Error
	s := link
	for i := 0; i < len(s); i++ {
		if s[i] == '#' {
			s = s[:i]
			break
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '?' {
			s = s[i+1:]
			break
		}
	}
	if s == link && hasPrefix(s, "http") {
		s = "" // an address without a query
	}
	if len(s) > maxLength {
		return q, nil, &fault.Error{Problem: "the link is too long", Allowed: "8,192 characters", Hint: "paste the config instead of many set. keys"}
	}
	var seen config.Names
	more, unread := 0, ""
	issue := func(e fault.Error) {
		if len(issues) < mostIssues {
			issues = append(issues, e)
			return
		}
		if more++; more == 1 {
			unread = e.Field
		}
	}
	for s != "" {
		pair := s
		s = ""
		for i := 0; i < len(pair); i++ {
			if pair[i] == '&' {
				pair, s = pair[:i], pair[i+1:]
				break
			}
		}
		if pair == "" {
			continue
		}
		key, value := pair, ""
		for i := 0; i < len(pair); i++ {
			if pair[i] == '=' {
				key, value = pair[:i], pair[i+1:]
				break
			}
		}
		key, value = unescape(key), unescape(value)
		if seen.Add(key) {
			issue(fault.Error{Field: fault.Clip(key, 60), Given: fault.Clip(value, 60), Problem: "appears twice; the last one is used"})
		}
		if key == "v" {
			if value != "1" {
				return q, nil, &fault.Error{Field: "v", Given: fault.Clip(value, 20), Problem: "this version of the link is not known", Allowed: "1"}
			}
			continue
		}
		if _, ok := ParamNamed(key); !ok && len(issues) == mostIssues && !hasPrefix(key, "set.") && !hasPrefix(key, "vs.") {
			issue(fault.Error{Field: fault.Clip(key, 60)}) // only counted: what it may be meant for is not looked for
		} else if e := q.PutKey(key, value); e != nil {
			issue(*e)
		}
	}
	if more > 0 {
		issues = append(issues, fault.Error{Field: unread, Problem: "is the first of " + units.Group(int64(more)) + " more that are not used"})
	}
	return q, issues, nil
}

// mostIssues is how many parts that are not used Parse names one by one.
const mostIssues = 50

// maxLength bounds a link's query; browsers and servers stop at about as much.
const maxLength = 8192

// NoKey is the problem of a key that no question has.
const NoKey = "is not a key of the query"

// PutKey sets what a key of the link or of the command line names.
func (q *Query) PutKey(key, value string) *fault.Error {
	if hasPrefix(key, "set.") {
		return q.PutSet(key[4:], value)
	}
	if hasPrefix(key, "vs.") {
		return q.PutSecond(key[3:], value)
	}
	p, ok := ParamNamed(key)
	if !ok {
		return &fault.Error{Field: fault.Clip(key, 60), Given: fault.Clip(value, 60), Problem: NoKey, Hint: nearest(key, Names())}
	}
	return q.Put(p, value)
}

// PutTyped is [Query.PutKey] for what a person types, who means powers of two by a length: "32k" tokens are 32,768, where
// a link, which may be years old, means 32,000. Both have digits in their canonical form.
func (q *Query) PutTyped(key, value string) *fault.Error {
	name := key
	if hasPrefix(name, "vs.") {
		name = name[3:]
	}
	if p, ok := ParamNamed(name); ok && p.Length() && len(value) > 1 {
		before := value[len(value)-2]
		if c := value[len(value)-1] | 0x20; (c == 'k' || c == 'm') && (before >= '0' && before <= '9' || before == ' ') {
			value += "i"
		}
	}
	return q.PutKey(key, value)
}

// nearest asks whether the name that is one or two edits away was meant; empty where none is.
func nearest(given string, names []string) string {
	best, name := 3, ""
	if len(given) > 30 {
		return ""
	}
	for _, n := range names {
		if d := Distance(lower(given), n); d < best {
			best, name = d, n
		}
	}
	if name == "" {
		return ""
	}
	return "did you mean " + name + "?"
}

// Distance is the number of edits (insert, delete, replace) between two words.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// String returns the canonical form: "v=1&model=gpt2&context=1024".
func (q *Query) String() string {
	b := []byte("v=1")
	put := func(key, value string) {
		b = append(b, '&')
		b = append(b, key...)
		b = append(b, '=')
		b = escape(b, value)
	}
	for p := Param(0); p < NumParams; p++ {
		if v := q.own(p); v != "" && !(p == Prompt && v == q.Get(Context)) {
			put(params[p].Name, v)
		}
		for _, s := range q.Set {
			if p == Model {
				put("set."+s.Key, s.Value)
			}
		}
		for _, s := range q.Vs {
			if p == Versus {
				put("vs."+s.Key, s.Value)
			}
		}
	}
	return string(b)
}

// escape writes a value so that it stays readable: only what a link cannot hold
// is written as %XX.
func escape(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plain(c) || c == '.' || c == ',' || c == ':' || c == '~' || c == '*' || c == '/' || c == '@' {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}

// unescape reads %XX and "+". A broken escape stays as it is; bytes that are no
// UTF-8 become U+FFFD.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '+' {
			c = ' '
		}
		if c == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				c = byte(hi<<4 | lo)
				i += 2
			}
		}
		b = append(b, c)
	}
	if utf8.Valid(b) {
		return string(b)
	}
	out := ""
	for _, r := range string(b) {
		out += string(r)
	}
	return out
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
