package query

import (
	"strings"

	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/units"
)

// Query is a question. The zero Query asks version 1's defaults.
type Query struct {
	vals []value   // what is not the default, by parameter; a Query's copies share it, so that it is never changed in place
	Set  []Setting // config overrides, by key
	Vs   []Setting // what the second side asks otherwise, by key; see Second

	// VsPasted says that the second side is about a config which travels beside the query, as a pasted one of the first
	// does: it has no key, and whoever holds the config sets it.
	VsPasted bool
}

// value is a parameter's value as canonical text.
type value struct {
	param Param
	text  string
}

// own is what a parameter is set to; empty is the default. Where a program is asked for, a default that was asked for by
// itself is not empty: the program may set something else.
func (q *Query) own(p Param) string {
	for i := range q.vals {
		if v := &q.vals[i]; v.param == p && (v.text != params[p].Default || q.own(Program) != "") {
			return v.text
		}
	}
	return ""
}

// programmed reports whether a program may set a parameter ([Programs]).
func (p Param) programmed() bool {
	switch p {
	case Optimizer, Precision, Zero, Recompute, Loss, OptimizerKernel, Kernels, LoRADtype:
		return true
	}
	return false
}

// put sets a parameter to canonical text; empty is the default.
func (q *Query) put(p Param, text string) {
	var vals []value
	for i := range q.vals {
		v := &q.vals[i]
		if v.param > p && text != "" {
			vals = append(vals, value{p, text})
			text = ""
		}
		if v.param != p {
			vals = append(vals, *v)
		}
	}
	if text != "" {
		vals = append(vals, value{p, text})
	}
	q.vals = vals
}

// Setting overrides one config key.
type Setting struct {
	Key   string // dotted: "text_config.num_hidden_layers"
	Value string // compact JSON, or text as it was given
}

// Get returns a parameter's value, its default when it is not set.
func (q *Query) Get(p Param) string {
	if v := q.own(p); v != "" {
		return v
	}
	if p == Prompt {
		return q.Get(Context)
	}
	return params[p].Default
}

// Has reports whether a parameter is set to something other than its default.
func (q *Query) Has(p Param) bool { return q.own(p) != "" }

// Clear sets a parameter to its default.
func (q *Query) Clear(p Param) { q.put(p, "") }

// Int returns a count's value. Every Query holds readable counts only.
func (q *Query) Int(p Param) int64 {
	n, _ := units.ParseCount(q.Get(p))
	return n
}

// Put sets a parameter from text as a person gives it, checked and in canonical
// form, or says what is allowed.
func (q *Query) Put(p Param, text string) *fault.Error {
	v, err := canonical(p, text)
	if err != nil {
		err.Field = params[p].Name
		if err.Given == "" {
			err.Given = fault.Clip(text, 60)
		}
		return err
	}
	if v == params[p].Default && !p.programmed() {
		v = ""
	}
	q.put(p, v)
	return nil
}

// PutSet sets an override; its value is JSON, else text.
func (q *Query) PutSet(key, text string) *fault.Error {
	if !pathOK(key) {
		return &fault.Error{Field: "set." + fault.Clip(key, 60), Problem: "this is not the name of a config key", Allowed: "set.hidden_size, set.text_config.num_hidden_layers"}
	}
	if v, err := config.Parse(text); err == nil {
		text = v.JSON()
	}
	q.Set = with(q.Set, Setting{key, text})
	return nil
}

// Sided reports whether the sides of a comparison may have different values.
func (p Param) Sided() bool { return p != Model && (p < Units || p > Mine) }

// PutSecond sets what the second side of a comparison asks otherwise than the
// first: key is a parameter's, or set.KEY for its config.
func (q *Query) PutSecond(key, text string) *fault.Error {
	var x Query
	p, ok := ParamNamed(key)
	if ok && p.Sided() || hasPrefix(key, "set.") {
		if err := x.PutKey(key, text); err != nil {
			err.Field = "vs." + err.Field
			return err
		}
		text = x.Get(p)
		if !ok {
			text = x.Set[0].Value
		}
		q.Vs = with(q.Vs, Setting{key, text})
		return nil
	}
	return &fault.Error{Field: "vs." + fault.Clip(key, 60), Problem: "is not a key of the second side", Hint: "vs.context, vs.set.hidden_size"}
}

// with is a list with one more setting, in the order of keys; the list is left
// as it is.
func with(list []Setting, s Setting) []Setting {
	at := 0
	for at < len(list) && list[at].Key < s.Key {
		at++
	}
	out := append(append([]Setting{}, list[:at]...), s)
	if at < len(list) && list[at].Key == s.Key {
		at++
	}
	return append(out, list[at:]...)
}

// Unset removes an override.
func (q *Query) Unset(key string) {
	for i, s := range q.Set {
		if s.Key == key {
			q.Set = append(append([]Setting{}, q.Set[:i]...), q.Set[i+1:]...)
			return
		}
	}
}

// JSON returns the override's value: its JSON, or its text as a string.
func (s Setting) JSON() config.Value {
	v, err := config.Parse(s.Value)
	if err != nil {
		return config.Value{Kind: config.String, Text: s.Value}
	}
	v.Line = 0 // no file has it
	return v
}

// Apply returns the config with the overrides in place. cfg is not changed.
func (q *Query) Apply(cfg config.Value) (config.Value, *fault.Error) {
	if len(q.Set) == 0 {
		return cfg, nil
	}
	out := cfg.Copy()
	for _, s := range q.Set {
		if rest, ok := flat(&cfg, s.Key); ok {
			return cfg, &fault.Error{Field: "set." + s.Key, Given: fault.Clip(s.Value, 60), Problem: "the config has no such part: its sizes are at the top, and a new part would take the place of all of them", Hint: "the key is set." + rest}
		}
		if !out.Put(s.Key, s.JSON()) {
			return cfg, &fault.Error{Field: "set." + s.Key, Given: fault.Clip(s.Value, 60), Problem: "the path runs through a key that isn't an object"}
		}
	}
	return out, nil
}

// textParts are the names under which configs hold their language model, which
// others of the same type hold at the top.
var textParts = [...]string{"text_config.", "language_config.", "llm_config."}

// flat reports whether a key is of a part that the config has not, because the
// part's sizes stand at its top; rest is the key's name there.
func flat(cfg *config.Value, key string) (rest string, ok bool) {
	for _, part := range textParts {
		if !hasPrefix(key, part) {
			continue
		}
		if at := cfg.Get(part[:len(part)-1]); at.Kind != config.Absent && at.Kind != config.Null {
			return "", false
		}
		return key[len(part):], cfg.Has("hidden_size") || cfg.Has("num_hidden_layers")
	}
	return "", false
}

// pathOK accepts dotted names of letters, digits, "_" and "-".
func pathOK(key string) bool {
	if key == "" || len(key) > 200 || key[0] == '.' || key[len(key)-1] == '.' {
		return false
	}
	for i := 0; i < len(key); i++ {
		c := key[i]
		if c == '.' && key[i-1] == '.' || !(c == '.' || plain(c)) {
			return false
		}
	}
	return true
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// canonical checks a value and writes it the one way.
func canonical(p Param, text string) (string, *fault.Error) {
	in := params[p]
	switch in.kind {
	case amount:
		if low, ok := amountOf(text); ok {
			return low, nil
		}
		return "", &fault.Error{Problem: "is not an amount", Allowed: "a number above 0 with up to four decimals, such as 2.5"}
	case count, length, whole, percent, vast:
		n, err := units.ParseCount(text)
		if err != nil {
			return "", err
		}
		least, most := int64(1), int64(MaxCount)
		switch in.kind {
		case whole:
			least = 0
		case percent:
			most = 100
		case vast:
			most = 1e18
		}
		if n < least || n > most {
			return "", &fault.Error{Problem: "is out of range", Allowed: units.Itoa(least) + " to " + units.Group(most)}
		}
		return units.Itoa(n), nil
	case picture:
		if w, h, ok := readPicture(text); ok {
			return units.Itoa(w) + "x" + units.Itoa(h), nil
		}
		return "", &fault.Error{Problem: "is not the size of a picture", Allowed: allowedWords[picture]}
	case share:
		if shareOK(text) {
			return text, nil
		}
		return "", &fault.Error{Problem: "is not a share", Allowed: "0 up to 1, such as 0.05"}
	case choice:
		for _, a := range in.Allowed {
			if a == text {
				return a, nil
			}
		}
		low := lower(text)
		for _, a := range in.Allowed {
			if a == low {
				return a, nil
			}
		}
		return "", &fault.Error{Problem: "is not one of the choices", Allowed: strings.Join(in.Allowed, " "), Hint: nearest(text, in.Allowed)}
	case tokens:
		if n := len(text); n > 1 && text[n-1] == 'x' {
			per, err := units.ParseCount(text[:n-1])
			if err == nil && per > 0 && per <= 1_000_000 {
				return units.Itoa(per) + "x", nil
			}
			return "", &fault.Error{Problem: "is not a number of tokens for each parameter", Allowed: "20x, or a count such as 15T"}
		}
		n, err := units.ParseCount(text)
		if err != nil {
			return "", err
		}
		if n < 1 || n > MaxCount {
			return "", &fault.Error{Problem: "is out of range", Allowed: "1 to " + units.Group(MaxCount) + ", or 20x"}
		}
		return units.Itoa(n), nil
	}
	if p == Model && strings.IndexByte(text, '/') >= 0 {
		return onHub(text)
	}
	low := lower(text)
	if len(low) == 0 || len(low) > 100 {
		return "", &fault.Error{Problem: "is not a name", Allowed: "letters, digits, - . _"}
	}
	for i := 0; i < len(low); i++ {
		if c := low[i]; !(plain(c) || c == '.' || c == ',' && in.kind == free) {
			return "", &fault.Error{Problem: "is not a name", Allowed: "letters, digits, - . _", Hint: "a catalogue slug looks like llama-3.1-8b"}
		}
	}
	return low, nil
}

// onHub checks a model of the hub: owner/name, with @revision where one is meant, and with :file for one of
// several. Letters keep their case, which the hub tells apart.
func onHub(text string) (string, *fault.Error) {
	slashes, part := 0, byte('/') // which separator began the part that is read
	ok := len(text) <= 400
	for i := 0; i < len(text); i++ {
		c := text[i]
		if plain(c) {
			continue
		}
		fits := c == '.' || c == '/' && part != '/'
		switch {
		case c == '/' && part == '/':
			fits = true
			slashes++
		case c == '@' && part == '/', c == ':' && part != ':':
			fits, part = true, c
		}
		// No part is empty, and no point stands at an end.
		ok = ok && fits && i > 0 && i+1 < len(text) && plain(text[i+1])
	}
	if !ok || slashes != 1 {
		return "", &fault.Error{Problem: "is not a model of the hub", Allowed: "owner/name, owner/name@revision"}
	}
	return text, nil
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

// amountOf writes a number above 0 with at most twelve digits before its point and four behind it the one way: 2.50 is 2.5.
func amountOf(text string) (string, bool) {
	whole, part, point := strings.Cut(text, ".")
	for len(part) > 0 && part[len(part)-1] == '0' {
		part = part[:len(part)-1]
	}
	for len(whole) > 1 && whole[0] == '0' {
		whole = whole[1:]
	}
	if len(whole) == 0 || len(whole) > 12 || len(part) > 4 || point && text[len(text)-1] == '.' {
		return "", false
	}
	for _, c := range []byte(whole + part) {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	if part != "" {
		whole += "." + part
	}
	return whole, whole != "0"
}

// Amount returns an amount's value; 0 where it is not set.
func (q *Query) Amount(p Param) float64 {
	whole, part, _ := strings.Cut(q.Get(p), ".")
	n, unit := 0.0, 1.0
	for _, c := range []byte(whole + part) {
		n = float64(n*10) + float64(c-'0')
	}
	for range part {
		unit = float64(unit * 10)
	}
	return n / unit
}

// shareOK reports whether text is a plain decimal fraction below 1: "0", "0.05".
func shareOK(text string) bool {
	if len(text) == 0 || len(text) > 8 || text[0] != '0' || len(text) == 2 || len(text) > 1 && text[1] != '.' {
		return false
	}
	for i := 2; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return len(text) == 1 || text[len(text)-1] != '0'
}
