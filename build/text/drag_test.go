package text

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tokens stands for the counting engine: a cache of three bytes for each token of each sequence, and 16 layers whatever is asked.
type tokens struct{}

func (tokens) Number(query, field string) (Value, error) {
	keys, err := url.ParseQuery(query)
	if err != nil {
		return Value{}, err
	}
	context, _ := strconv.ParseInt(keys.Get("context"), 10, 64)
	batch, _ := strconv.ParseInt(keys.Get("batch"), 10, 64)
	switch field {
	case "cache":
		return Value{Int: 3 * context * batch}, nil
	case "layers":
		return Value{Int: 16}, nil
	case "size":
		return Value{IsText: true, Text: map[bool]string{true: "large", false: "small"}[context > 15]}, nil
	}
	return Value{}, fmt.Errorf("no field %q", field)
}

func (tokens) Figure(kind, query string, options map[string]string) (string, error) {
	if kind == "calculator" {
		return "<form></form>", nil
	}
	return fmt.Sprintf("<svg data-asked=%q data-rows=%q></svg>", query, options["rows"]), nil
}

// scrubbed is what a page's script gets.
type scrubbed struct {
	Drag []struct {
		Label, Key    string
		Values, Shown []string
		At            int
	}
	Numbers [][]string
	Figure  []string
}

// TestDrag: every combination of the dragged numbers has its texts and its drawing, worked out by the engine.
func TestDrag(t *testing.T) {
	r := newParser(t)
	r.Numbers, r.Figures = tokens{}, tokens{}
	page := func(text string) (string, []scrubbed, error) {
		doc, err := r.Convert("a.md", []byte(strings.Replace(front, "v=1&model=known", "v=1&context=2000&batch=1", 1)+text), "")
		if err != nil {
			return "", nil, err
		}
		html := string(doc.HTML)
		var list []scrubbed
		for _, part := range strings.Split(html, `<script type="application/json" data-scrub>`)[1:] {
			data, _, _ := strings.Cut(part, "</script>")
			var s scrubbed
			if err := json.Unmarshal([]byte(data), &s); err != nil {
				t.Fatal(err, data)
			}
			list = append(list, s)
		}
		return html, list, nil
	}

	html, list, err := page("{= cache =} before.\n\nFor {~drag context 10 *2000 30000~} tokens of {~drag batch *1 2 4~} texts {= cache =} bytes in {= layers =} layers, {= size =}.\n\nAnd {= cache =} behind.\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || len(list[0].Drag) != 2 {
		t.Fatalf("%+v", list)
	}
	s := list[0]
	if !strings.Contains(html, `For <span class="drag">2,000</span> tokens of <span class="drag">1</span> texts <data value="6000"`) {
		t.Errorf("without script: %s", html)
	}
	if d := s.Drag[0]; d.Key != "context" || d.Label == "" || d.At != 1 || !slices.Equal(d.Values, []string{"10", "2000", "30000"}) || !slices.Equal(d.Shown, []string{"10", "2,000", "30,000"}) {
		t.Errorf("%+v", d)
	}
	// 3 × tokens × texts, the texts fastest; layers follow nothing.
	want := []string{"30", "60", "120", "6,000", "12,000", "24,000", "90,000", "180,000", "360,000"}
	if len(s.Numbers) != 3 || !slices.Equal(s.Numbers[0], want) || s.Numbers[1] != nil {
		t.Errorf("numbers %q", s.Numbers)
	}
	if !slices.Equal(slices.Compact(s.Numbers[2]), []string{"small", "large"}) || !strings.Contains(html, "<span data-follows>large</span>") {
		t.Errorf("words %q", s.Numbers[2])
	}
	if s.Figure != nil {
		t.Error("there is no figure")
	}

	_, list, err = page("::: figure kind=bars rows=\"one: batch=1\"\nAt {~drag context 10 *2000=two-thousand 30000~} tokens.\n:::\n")
	if err != nil {
		t.Fatal(err)
	}
	if f := list[0].Figure; len(f) != 3 || f[2] != `<svg data-asked="v=1&context=30000&batch=1" data-rows="one: batch=1"></svg>` || list[0].Drag[0].Shown[1] != "two-thousand" {
		t.Errorf("%+v", list[0])
	}
	if _, list, err = page("::: figure kind=calculator\nAt {~drag context 10 *2000 30000~} tokens.\n:::\n"); err != nil || list[0].Figure != nil {
		t.Errorf("a calculator answers by itself: %+v %v", list, err)
	}

	for text, want := range map[string]string{
		"{~drag nobody 1 *2 3~} {= cache =}":                                                "a key of a query",
		"{~drag context 1 2 3~} {= cache =}":                                                "a star at the one",
		"{~drag context *1 2 *3~} {= cache =}":                                              "two values have a star",
		"{~drag context 10 *2000~} {= cache =}":                                             "three values at least",
		"{~drag context *10 2000 30000~} {= cache =}":                                       "the star stands at another value",
		"{~drag context 10 *2000 30000~} tokens":                                            "nothing follows",
		"{~drag context 10 *2000 30000~} {= layers =}":                                      "nothing follows",
		"{~drag context 10 *2000 30000~} {= nothing =}":                                     `no field "nothing"`,
		"{~drag context 10" + strings.Repeat(" 1", 100) + " *2000~} {= cache =}":            "combinations",
		"::: figure kind=bars query=\"context=5\"\n{~drag seq 10 *2000 30000~} tokens\n:::": "the star stands at another value than the figure's query",
	} {
		_, _, err := page(text + "\n")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "a.md:") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
