package oracle

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
)

// Format writes a file's text. Configurations are put in canonical form and
// tensors in order first; what Parse reads back is the same.
func Format(f *File) ([]byte, error) {
	var b bytes.Buffer
	field(&b, "model_type", f.ModelType)
	field(&b, "architecture", f.Architecture)
	field(&b, "transformers", f.Transformers)
	field(&b, "torch", f.Torch)
	for _, k := range f.ShapeKeys {
		field(&b, "shape_key", k.Name, string(k.Default))
	}
	if len(f.InertKeys) > 0 {
		field(&b, "inert_keys", strings.Join(f.InertKeys, " "))
	}
	cases := make([]Case, len(f.Cases))
	for i, c := range f.Cases {
		c, err := normal(c)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
		cases[i] = c
		b.WriteByte('\n')
		if i == 0 {
			field(&b, "case")
			field(&b, "config", string(c.Config))
			b.Write(difference(Case{}, c))
			continue
		}
		// The second case is a small sibling where the default is large, and
		// then the better one to differ from.
		from, text := 0, difference(cases[0], c)
		if i > 1 {
			if other := difference(cases[1], c); len(other) < len(text) {
				from, text = 1, other
			}
		}
		field(&b, "case", fmt.Sprint(from))
		writeChanges(&b, diffConfig(cases[from].Config, c.Config))
		b.Write(text)
	}
	for _, r := range f.Runtimes {
		b.WriteByte('\n')
		field(&b, "runtime")
		config, err := canonical(r.Config)
		if err != nil {
			return nil, fmt.Errorf("runtime: %w", err)
		}
		writeChanges(&b, diffConfig(cases[0].Config, config))
		writePasses(&b, r.Passes)
	}
	return b.Bytes(), nil
}

// FormatReal writes real configurations, each in full, the configuration with
// its keys in their own order. Some hold Infinity, which Python writes and JSON
// does not know; it stays, for whoever reads real configurations meets it.
func FormatReal(cases []Case) []byte {
	var b bytes.Buffer
	for i, c := range cases {
		if i > 0 {
			b.WriteByte('\n')
		}
		c.Tensors = sorted(c.Tensors)
		field(&b, "real", c.Name)
		field(&b, "origin", c.Origin)
		field(&b, "model_type", c.ModelType)
		field(&b, "architecture", c.Architecture)
		field(&b, "config", oneLine(c.Config))
		b.Write(difference(Case{}, c))
	}
	return b.Bytes()
}

// oneLine takes the white space between the tokens of a JSON text away.
func oneLine(raw []byte) string {
	var b strings.Builder
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\' && i+1 < len(raw):
			b.WriteByte(c)
			i++
			c = raw[i]
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func field(b *bytes.Buffer, fields ...string) {
	b.WriteString(strings.Join(fields, "\t"))
	b.WriteByte('\n')
}

// normal brings a case into the form that Parse returns.
func normal(c Case) (Case, error) {
	config, err := canonical(c.Config)
	c.Config, c.Tensors = config, sorted(c.Tensors)
	return c, err
}

func sorted(ts []Tensor) []Tensor {
	ts = append([]Tensor(nil), ts...)
	sortTensors(ts)
	return ts
}

func writeChanges(b *bytes.Buffer, changes []change) {
	for _, c := range changes {
		if c.gone {
			field(b, "unset", c.key)
			continue
		}
		field(b, "set", c.key, string(c.value))
	}
}

// difference writes what turns one case into another, the config left out.
func difference(from, to Case) []byte {
	var b bytes.Buffer
	first := from.Tensors == nil
	if first || from.Parameters != to.Parameters {
		field(&b, "parameters", fmt.Sprint(to.Parameters))
	}
	if first || from.Buffers != to.Buffers {
		field(&b, "buffers", fmt.Sprint(to.Buffers))
	}
	pairs, tensors, buffers := renames(from, to)
	for _, p := range pairs {
		field(&b, "each", p[0], p[1])
	}
	if have := strings.Join(to.PersistentBuffers, " "); have != strings.Join(buffers, " ") {
		if have == "" {
			have = "-"
		}
		field(&b, "persistent_buffers", have)
	}
	b.Write(tensorLines(tensors, to.Tensors))
	return b.Bytes()
}

// tensorLines writes the -, + and ~ lines.
func tensorLines(from, to []Tensor) []byte {
	var b bytes.Buffer
	gone, come := withoutCommon(from, to)
	shape := map[string]string{}
	for _, t := range come {
		shape[t.Name] = ShapeString(t.Shape)
	}
	changed := map[string]bool{}
	for _, t := range gone {
		if s, ok := shape[t.Name]; ok {
			changed[t.Name] = true
			field(&b, "~"+t.Name, s)
			continue
		}
		field(&b, "-"+t.Name)
	}
	for _, t := range come {
		if !changed[t.Name] {
			field(&b, "+"+t.Name, ShapeString(t.Shape))
		}
	}
	return b.Bytes()
}

// renames finds index ranges whose replacement in all names makes the
// difference shorter, as when a model gets more layers. It returns them with
// the tensors and buffers that they leave.
func renames(from, to Case) (pairs [][2]string, tensors []Tensor, buffers []string) {
	tensors, buffers = from.Tensors, from.PersistentBuffers
	cost := len(tensorLines(tensors, to.Tensors))
	for round := 0; round < 4; round++ {
		gone, come := withoutCommon(tensors, to.Tensors)
		var best [2]string
		var bestTensors []Tensor
		bestCost := cost
		for _, x := range braces(gone) {
			for _, y := range braces(come) {
				if x == y {
					continue
				}
				renamed, ok := rename(tensors, x, y)
				if !ok {
					continue
				}
				c := len(tensorLines(renamed, to.Tensors)) + len(x) + len(y) + 7
				if c < bestCost {
					best, bestTensors, bestCost = [2]string{x, y}, renamed, c
				}
			}
		}
		if bestTensors == nil {
			break
		}
		pairs = append(pairs, best)
		tensors, cost = bestTensors, bestCost
		buffers = renameAll(buffers, best[0], best[1])
	}
	return pairs, tensors, buffers
}

// braces lists the distinct index sets in names, the most frequent ones first,
// and not more than a dozen.
func braces(ts []Tensor) []string {
	count := map[string]int{}
	for _, t := range ts {
		rest := t.Name
		for {
			_, after, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			set, tail, _ := strings.Cut(after, "}")
			count["{"+set+"}"]++
			rest = tail
		}
	}
	out := sortedNames(count)
	sort.SliceStable(out, func(i, j int) bool { return count[out[i]] > count[out[j]] })
	return out[:min(len(out), 12)]
}

// rename replaces an index range in all names. ok is false where two tensors
// would get one name.
func rename(ts []Tensor, from, to string) (out []Tensor, ok bool) {
	out = make([]Tensor, len(ts))
	seen := make(map[string]bool, len(ts))
	for i, t := range ts {
		out[i] = Tensor{strings.ReplaceAll(t.Name, from, to), t.Shape}
		if seen[out[i].Name] {
			return nil, false
		}
		seen[out[i].Name] = true
	}
	sortTensors(out)
	return out, true
}

func renameAll(names []string, from, to string) []string {
	var out []string
	for _, n := range names {
		out = append(out, strings.ReplaceAll(n, from, to))
	}
	return out
}

// writePasses puts the passes side by side: a column for each number of tokens.
func writePasses(b *bytes.Buffer, passes []Pass) {
	head := []string{"tokens"}
	total := []string{"flops"}
	ops, caches := map[string][]string{}, map[string][]string{}
	for i, p := range passes {
		head = append(head, fmt.Sprint(p.Tokens))
		total = append(total, fmt.Sprint(p.FLOPs))
		for _, o := range p.ByOp {
			set(ops, o.Name, len(passes), i, fmt.Sprint(o.FLOPs))
		}
		for _, c := range p.Cache {
			set(caches, c.Name+"\t"+c.DType, len(passes), i, ShapeString(c.Shape))
		}
	}
	field(b, head...)
	field(b, total...)
	for _, name := range sortedNames(ops) {
		field(b, append([]string{"op", name}, ops[name]...)...)
	}
	for _, name := range sortedNames(caches) {
		field(b, append([]string{"cache", name}, caches[name]...)...)
	}
}

// set fills one column of a row; columns that stay without a value hold "none".
func set(rows map[string][]string, name string, columns, column int, value string) {
	row := rows[name]
	if row == nil {
		row = make([]string, columns)
		for i := range row {
			row[i] = "none"
		}
		rows[name] = row
	}
	row[column] = value
}
