package view

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/site/markup"
)

// What was published stays: every path of the JSON with its values, every name of a number in a link (#at=), every
// canonical link, for 300 questions. testdata/frozen.txt holds the questions, then one line for each path or name: how
// often it is there, and a sum over its values. New paths and names are welcome; one that is gone or says something
// else fails. A correction freezes what it corrects anew, with its reason, which the file keeps:
//
//	go test ./site/view -run Frozen -refreeze 'running.time.…,compute.train.flops=seconds were cut at 1e9'
//	go test ./site/view -run Frozen -frozen DIR      writes every value, to compare two versions
var (
	refreeze = flag.String("refreeze", "", "PATH,PATH=REASON: freeze these paths anew; … at the end stands for any rest")
	frozen   = flag.String("frozen", "", "a folder to write every value to")
)

const frozenFile = "testdata/frozen.txt"

func TestFrozen(t *testing.T) {
	text, err := os.ReadFile(frozenFile)
	if err != nil {
		t.Fatal(err)
	}
	var questions, reasons []string
	kept := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		switch name, sum, ok := strings.Cut(line, "\t"); {
		case strings.HasPrefix(line, "? "):
			questions = append(questions, line[2:])
		case strings.HasPrefix(line, "# "):
			reasons = append(reasons, line)
		case ok:
			kept[name] = sum
		}
	}
	if len(questions) != 300 {
		t.Fatalf("%d questions", len(questions))
	}
	columns := answeredAll(t, questions)
	now := map[string]string{}
	for name, values := range columns {
		sum, n := fnv.New64a(), 0
		for i, v := range values {
			if v != "" {
				n++
				sum.Write(binary.AppendUvarint(nil, uint64(i)))
				sum.Write([]byte(v))
				sum.Write([]byte{0})
			}
		}
		now[name] = strconv.Itoa(n) + " " + strconv.FormatUint(sum.Sum64(), 36)
	}
	if *frozen != "" {
		dump(t, questions, columns)
	}
	path, reason, _ := strings.Cut(*refreeze, "=")
	matches := func(name string) bool {
		for one := range strings.SplitSeq(path, ",") {
			if rest, any := strings.CutSuffix(one, "…"); one != "" && (name == one || any && strings.HasPrefix(name, rest)) {
				return true
			}
		}
		return false
	}
	if path != "" {
		if reason == "" {
			t.Fatal("give a reason: -refreeze 'PATH=REASON'")
		}
		reasons = append(reasons, "# "+path+": "+reason)
		for _, name := range slices.Sorted(maps.Keys(kept)) {
			if matches(name) && now[name] == "" {
				delete(kept, name)
			}
		}
		for name, sum := range now {
			if matches(name) {
				kept[name] = sum
			}
		}
		var b strings.Builder
		for _, r := range reasons {
			b.WriteString(r + "\n")
		}
		for _, q := range questions {
			b.WriteString("? " + q + "\n")
		}
		for _, name := range slices.Sorted(maps.Keys(kept)) {
			b.WriteString(name + "\t" + kept[name] + "\n")
		}
		if err := os.WriteFile(frozenFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept) < 500 {
		t.Errorf("only %d paths and names are frozen", len(kept))
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if strings.HasPrefix(name, "config.") && now[name] != "" {
			continue // families learn to read keys that a class has a default for
		}
		if now[name] != kept[name] {
			t.Errorf("%s: %s, was %s", name, now[name], kept[name])
		}
	}
}

// answeredAll answers the questions as `llmsize report --json` does. What it returns is keyed by path, list places being
// "*", and by "at " and a name; each has a value for every question, all of a list's in one.
func answeredAll(t *testing.T, questions []string) map[string][]string {
	t.Helper()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	subject := func(q *query.Query) report.Subject {
		m, ok := models.Find(q.Get(query.Model))
		if !ok {
			t.Fatalf("%s: no such model", q.Get(query.Model))
		}
		s, err := m.Subject()
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := devices.Find(q.Get(query.Device)); ok {
			s.Device = d.Spec()
		}
		return s
	}
	columns := map[string][]string{}
	for i, text := range questions {
		put := func(name, value string) {
			if columns[name] == nil {
				columns[name] = make([]string, len(questions))
			}
			columns[name][i] += value + " "
		}
		q, issues, fail := query.Parse(text)
		if fail != nil || len(issues) > 0 {
			t.Fatal(text, fail, issues)
		}
		r, fail := report.Answer(q, subject(&q), lib)
		if fail != nil {
			put("error", fail.Error())
			continue
		}
		if second, ok := q.Second(); ok {
			if fail := r.CompareWith(subject(&second)); fail != nil {
				t.Fatal(text, fail)
			}
		}
		r.Rank()
		tree, fail := config.Parse(r.JSON())
		if fail != nil {
			t.Fatalf("%s: no JSON: %v", text, fail)
		}
		leaves(tree, "", put)
		for _, x := range All() {
			html := x.HTML(r)
			if x.ID == "keys" { // its one name holds a count, which changes as families learn keys
				continue
			}
			if _, chart := strings.CutPrefix(html, `<div class="graph">`); !chart {
				for _, name := range namesIn(x.ID, html) {
					put("at "+name, "there")
				}
			}
		}
	}
	return columns
}

// leaves calls f for every plain value of a tree.
func leaves(v config.Value, path string, f func(path, value string)) {
	switch {
	case v.Kind == config.Object:
		for i, key := range v.Keys {
			if path == "layers" || path == "layers.*.tensors" { // names of the model's own
				f(path+".names", key)
				key = "*"
			}
			leaves(v.Vals[i], strings.TrimPrefix(path+"."+key, "."), f)
		}
	case v.Kind == config.List && path != "config" && !strings.HasPrefix(path, "config."):
		for _, x := range v.Items {
			at := path + ".*"
			if path == "compare.figures" { // a figure more moves no other
				at = path + "." + x.Get("name").Text
			}
			leaves(x, at, f)
		}
	default:
		f(path, v.JSON())
	}
}

// namesIn lists the names of the figures of a region, as site/scripts/numbers.js makes them.
func namesIn(region, html string) []string {
	var out []string
	for _, piece := range strings.Split(html, "<details")[1:] {
		_, piece, ok := strings.Cut(piece, "<summary>")
		piece, _, closed := strings.Cut(piece, "</summary>")
		if !ok || !closed {
			continue
		}
		if _, label, ok := strings.Cut(piece, `<span class="label">`); ok {
			piece = label[:end(label, "span")]
		}
		for _, tag := range []string{`<span class="swatch`, `<span class="quiet`, `<span class="n"`, `<b>`} {
			for {
				at := strings.Index(piece, tag)
				if at < 0 {
					break
				}
				inner := piece[at+strings.IndexByte(piece[at:], '>')+1:]
				element, _, _ := strings.Cut(tag[1:], " ")
				rest := inner[end(inner, strings.TrimSuffix(element, ">")):]
				piece = piece[:at] + rest[strings.IndexByte(rest, '>')+1:]
			}
		}
		slug := ""
		if _, at, ok := strings.Cut(piece, `<span class="label" data-at="`); ok { // the label's name of old
			slug, _, _ = strings.Cut(at, `"`)
			piece = ""
		}
		for _, c := range strings.ToLower(markup.Plain(piece)) {
			if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
				slug += string(c)
			} else if !strings.HasSuffix(slug, "-") {
				slug += "-"
			}
		}
		base := region + "." + strings.Trim(slug, "-")
		name := base
		for i := 2; slices.Contains(out, name); i++ {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		out = append(out, name)
	}
	return out
}

// end is where an element ends whose inside begins html.
func end(html, element string) int {
	depth := 0
	for i := range html {
		switch {
		case strings.HasPrefix(html[i:], "</"+element+">"):
			if depth == 0 {
				return i
			}
			depth--
		case strings.HasPrefix(html[i:], "<"+element+" "), strings.HasPrefix(html[i:], "<"+element+">"):
			depth++
		}
	}
	return len(html)
}

// dump writes every value.
func dump(t *testing.T, questions []string, columns map[string][]string) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		for i, v := range columns[name] {
			if v != "" {
				fmt.Fprintf(&b, "%s\t%s\t%s\n", name, questions[i], v)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(*frozen, "frozen.tsv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
