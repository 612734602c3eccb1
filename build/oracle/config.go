package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// change is one difference between two configurations.
type change struct {
	key   string // dots descend
	value json.RawMessage
	gone  bool // the key is taken away
}

// object is a JSON object whose values keep their own text, so that numbers
// come out as they went in.
type object map[string]json.RawMessage

// parseObject reads a JSON object; ok is false for any other JSON.
func parseObject(raw json.RawMessage) (object, bool) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, false
	}
	var o object
	if err := json.Unmarshal(trimmed, &o); err != nil {
		return nil, false
	}
	return o, true
}

// canonical writes JSON without white space, with sorted keys.
func canonical(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	o, ok := parseObject(raw)
	if !ok {
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	for k, v := range o {
		c, err := canonical(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		o[k] = c
	}
	return marshal(o)
}

// marshal is json.Marshal without the escapes that HTML would need.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// diffConfig lists what turns config from into config to, sorted by key. Both
// must be canonical objects.
func diffConfig(from, to json.RawMessage) []change {
	return diffObject("", from, to)
}

func diffObject(prefix string, from, to json.RawMessage) []change {
	a, _ := parseObject(from)
	b, _ := parseObject(to)
	var out []change
	for _, k := range configKeys(a, b) {
		x, inA := a[k]
		y, inB := b[k]
		switch {
		case !inB:
			out = append(out, change{key: prefix + k, gone: true})
		case inA && bytes.Equal(x, y):
		default:
			_, okX := parseObject(x)
			_, okY := parseObject(y)
			if inA && okX && okY {
				out = append(out, diffObject(prefix+k+".", x, y)...)
				continue
			}
			out = append(out, change{key: prefix + k, value: y})
		}
	}
	return out
}

func configKeys(objects ...object) []string {
	seen := map[string]bool{}
	var keys []string
	for _, o := range objects {
		for k := range o {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	sort.Strings(keys)
	return keys
}

// applyChange returns the config with one change made.
func applyChange(config json.RawMessage, c change) (json.RawMessage, error) {
	o, ok := parseObject(config)
	if !ok {
		return nil, fmt.Errorf("%s: not inside an object", c.key)
	}
	head, tail, nested := strings.Cut(c.key, ".")
	switch {
	case nested:
		inner, err := applyChange(o[head], change{tail, c.value, c.gone})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", head, err)
		}
		o[head] = inner
	case c.gone:
		if _, has := o[head]; !has {
			return nil, fmt.Errorf("%s: unset, but it is not set", head)
		}
		delete(o, head)
	default:
		o[head] = c.value
	}
	return marshal(o)
}
