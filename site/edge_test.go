package site_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"golang.org/x/net/html"

	"llmsize/core/config"
	"llmsize/core/device"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/spell"
	"llmsize/site/view"
)

// unfurl is a request of a program that shows a link, and what the host's edge functions make of it.
type unfurl struct {
	Path   string            `json:"path"`
	Method string            `json:"method,omitempty"`
	Asks   map[string]string `json:"headers,omitempty"`
	Broken string            `json:"broken,omitempty"`

	Status       int
	Type, Policy string
	HTML         string
	Sent         map[string]string // headers of a picture
	Picture      []byte
	Same, Passed bool
	MS, CPU      float64 // milliseconds: by the clock, and of the processor
}

// atEdge runs the functions for some requests.
func atEdge(t testing.TB, url string, list []*unfurl) {
	t.Helper()
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", filepath.Join("testdata", "edge.mjs"), url)
	node.Stdin = bytes.NewReader(in)
	var said bytes.Buffer
	node.Stderr = &said
	text, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var answer struct {
		Config []struct{ OnError string }
		Out    []json.RawMessage
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	for i, config := range answer.Config {
		if config.OnError != "bypass" {
			t.Errorf("where function %d fails the host shows %q, not the page", i, config.OnError)
		}
	}
	for i, one := range answer.Out {
		if err := json.Unmarshal(one, list[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// head is what a page's head says: title, and metas by name.
func (u *unfurl) head(t *testing.T) map[string][]string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(u.HTML))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	inHead := false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			at := map[string]string{}
			for _, a := range n.Attr {
				at[a.Key] = a.Val
			}
			switch {
			case n.Data == "head":
				inHead = true
			case n.Data == "body":
				inHead = false
			case n.Data == "title" && inHead && n.FirstChild != nil:
				said["title"] = append(said["title"], n.FirstChild.Data)
			case n.Data == "meta" && at["content"] != "":
				if name := at["name"] + at["property"]; name != "theme-color" {
					said[name] = append(said[name], at["content"])
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return said
}

// extra is what is in the page's head and is neither of the page as it was built nor a plain meta element.
func (u *unfurl) extra(t *testing.T) string {
	t.Helper()
	elements := func(page string) map[string]int {
		head, _, _ := strings.Cut(page, "</head>")
		all := map[string]int{}
		for z := html.NewTokenizer(strings.NewReader(head)); ; {
			switch z.Next() {
			case html.ErrorToken:
				return all
			case html.StartTagToken, html.SelfClosingTagToken:
				token := z.Token()
				if token.Data == "meta" && len(token.Attr) == 2 && (token.Attr[0].Key == "name" || token.Attr[0].Key == "property") && token.Attr[1].Key == "content" {
					if strings.ContainsFunc(token.Attr[1].Val, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
						all[token.String()]++
					}
					continue
				}
				all[token.String()]++
			}
		}
	}
	built := elements(string(content(t, fileOf(u.Path))))
	for element, n := range elements(u.HTML) {
		if n != built[element] {
			return element
		}
	}
	return ""
}

// natively is what the answer to a query about a model of the catalogue says, as this process counts it.
func natively(t *testing.T, link, name, slug string) (title, described, canonical string) {
	t.Helper()
	r := counted(t, link, name, slug)
	return view.Headline(r), view.Described(r), r.Query.String()
}

// counted is the answer.
func counted(t *testing.T, link, name, slug string) *report.Report {
	t.Helper()
	q, _, fault := query.Parse(link)
	if fault != nil {
		t.Fatal(fault)
	}
	read := func(kind, slug string) config.Value {
		v, fault := config.ParseObject(string(content(t, filepath.Join("..", "content", kind, slug+".json"))))
		if fault != nil {
			t.Fatal(fault)
		}
		return v
	}
	spec := read("devices", cmp.Or(q.Get(query.Device), "h100-sxm-80gb"))
	d, fault := device.Parse(&spec, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	model := read("models", slug)
	r, fault := report.Answer(q, report.Subject{Name: name, Slug: slug, Config: *model.Get("config"), Device: d}, families.Library())
	if fault != nil {
		t.Fatal(fault)
	}
	return r
}

// TestEdge asks the host's edge function for the pages of links, as programs do that show them.
func TestEdge(t *testing.T) {
	t.Parallel()
	url := host(t)
	if compiler != "tinygo" {
		t.Skip("the program for the edge is TinyGo's: without it links show pages as they were built")
	}
	t.Run("a link tells its answer", func(t *testing.T) { t.Parallel(); toldAtEdge(t, url) })
	t.Run("a link has its card", func(t *testing.T) { t.Parallel(); paintedAtEdge(t, url) })
	t.Run("a hostile link has a card", func(t *testing.T) { t.Parallel(); hostileCards(t, url) })
	t.Run("a link that takes long is answered", func(t *testing.T) { t.Parallel(); dearAtEdge(t, url) })
	t.Run("what is not for it passes", func(t *testing.T) { t.Parallel(); passedAtEdge(t, url) })
	t.Run("a hostile link gets the page or a plain answer", func(t *testing.T) { t.Parallel(); hostileAtEdge(t, url) })
}

func toldAtEdge(t *testing.T, url string) {
	const llama, gpt = "Llama 3.1 8B", "GPT-2 124M"
	// Of a model as it is the card is the file of a name; of all other questions, one that is painted.
	cases := []struct{ path, link, name, slug, image, beside string }{
		{"/?v=1", "v=1", llama, "llama-3.1-8b", "llama-3.1-8b", ""},
		{"/?model=gpt2&foo=1", "v=1&model=gpt2", gpt, "gpt2", "gpt2", ""},
		{"/?v=1&context=32k", "v=1&context=32k", llama, "llama-3.1-8b", "", ""},
		{"/?v=1&model=gpt2&context=1024&units=gib", "v=1&model=gpt2&context=1024&units=gib", gpt, "gpt2", "", ""},
		{"/?v=1&model=GPT2&set.n_layer=24", "v=1&model=gpt2&set.n_layer=24", gpt, "gpt2", "", ""},
		{"/models/gpt2/?context=512", "v=1&model=gpt2&context=512", gpt, "gpt2", "", ""},
		{"/models/gpt2/?v=1&model=llama-3.1-8b&batch=2", "v=1&batch=2", llama, "llama-3.1-8b", "", ""},
		{"/embed/?v=1&model=gpt2&batch=3&theme=dark", "v=1&model=gpt2&batch=3", gpt, "gpt2", "", ""},
		{"/?v=1&tp=2&weights=fp8", "v=1&tp=2&weights=fp8", llama, "llama-3.1-8b", "", ""},
		{"/?v=1&optimizer=muon&zero=3&dp=8", "v=1&optimizer=muon&zero=3&dp=8", llama, "llama-3.1-8b", "", ""},
		{"/?v=1&model=gpt2&vs=llama-3.1-8b", "v=1&model=gpt2&vs=llama-3.1-8b", gpt, "gpt2", "", ", beside " + llama},
		{"/?v=1&model=gpt2&vs.context=32k&vs.weights=fp8", "v=1&model=gpt2&vs.context=32k&vs.weights=fp8", gpt, "gpt2", "", ", beside the same with context=32000 and weights=fp8"},
		{"/?v=1&vs=gpt2&vs.batch=4", "v=1&vs=gpt2&vs.batch=4", llama, "llama-3.1-8b", "", ", beside " + gpt + " with batch=4"},
		{"/?v=1&vs.set.x=VISIT%20evil.example", "v=1&vs.set.x=VISIT%20evil.example", llama, "llama-3.1-8b", "", ", beside the same with another value"},
		{"/?v=1&vs.set.visit-evil.example=1&vs.device=visit-evil.example", "v=1&vs.set.visit-evil.example=1&vs.device=visit-evil.example", llama, "llama-3.1-8b", "", ", beside the same with 2 other values"},
		{"/?v=1&vs.batch=4&vs.context=9&vs.tp=2", "v=1&vs.batch=4&vs.context=9&vs.tp=2", llama, "llama-3.1-8b", "", ", beside the same with 3 other values"},
		{"/?model=gpt2&set.model_type=gpt_neo", "v=1&model=gpt2&set.model_type=gpt_neo", gpt, "gpt2", "", ""}, // a family that the page lacks
	}
	var list []*unfurl
	for _, c := range cases {
		list = append(list, &unfurl{Path: c.path})
	}
	atEdge(t, url, list)
	for i, c := range cases {
		title, described, canonical := natively(t, c.link, c.name, c.slug)
		u := list[i]
		got := u.head(t)
		if u.Status != 200 || !strings.HasPrefix(u.Type, "text/html") || !strings.Contains(u.Policy, "script-src 'self'") {
			t.Errorf("%s: status %d, %s, policy %q", c.path, u.Status, u.Type, u.Policy)
		}
		title += c.beside
		want := map[string]string{
			"title": title + " · llmsize", "description": described, "og:title": title, "og:description": described,
			"og:url": url + "/?" + canonical, "og:type": "website", "og:site_name": "llmsize",
			"twitter:card": "summary_large_image", "og:image:width": "1200", "og:image:height": "630",
		}
		if alt := strings.Join(got["og:image:alt"], "|"); !strings.HasPrefix(alt, c.name) || strings.Contains(alt, ", changed: ") != strings.Contains(c.link, "&set.") {
			t.Errorf("%s: the card is described as %q", c.path, alt)
		}
		at := url + "/answer.png?" + canonical + "&build="
		if c.image != "" {
			at = "https://example.org/models/" + c.image + "/card.png?"
		}
		if image := strings.Join(got["og:image"], "|"); !strings.HasPrefix(image, at) || len(image) != len(at)+8 {
			t.Errorf("%s: the card is %q, want %q", c.path, image, at)
		}
		for name, text := range want {
			if !slices.Equal(got[name], []string{text}) {
				t.Errorf("%s: %s is %q, want %q", c.path, name, got[name], text)
			}
		}
		if !strings.HasSuffix(u.HTML, afterHead(string(content(t, fileOf(c.path))))) {
			t.Errorf("%s: something below the head is changed", c.path)
		}
	}
	for _, u := range list {
		t.Logf("%4.0f ms %s", u.MS, u.Path)
	}
}

// atMost is what the host gives a request, in milliseconds of a processor.
const atMost = 50

// dear are the pages and the cards of what takes longest: the largest models of this site, and what a link can make of a model.
func dear(t testing.TB) []string {
	nested := strings.Repeat("[", 120) + strings.Repeat("]", 120)
	var paths []string
	for _, q := range []string{
		"v=1&model=deepseek-v3", "v=1&model=deepseek-v3&tp=8&devices=8", "v=1&model=deepseek-v3&optimizer=muon&zero=3&dp=8&days=30", "v=1&vs=deepseek-v3&weights=q4_k_m",
		"v=1&set.num_hidden_layers=4096", "v=1&set.num_hidden_layers=1000000", "v=1&set.num_hidden_layers=1099511627776", "v=1&model=gpt2&set.n_layer=65536&tp=2", "v=1&model=t5-v1.1-base&set.num_layers=100000&set.num_decoder_layers=100000",
		"v=1&set.layer_types=" + nested, "v=1&set.model_type=mllama&set.text_config.num_hidden_layers=99999", "v=1&set.model_type=qwen3_next&set.num_hidden_layers=40000", "v=1&set.model_type=efficientformer", "v=1&set.model_type=nemotron_h",
		"v=1&model=mixtral-8x7b&set.num_local_experts=100000", "v=1&model=deepseek-v3&set.n_routed_experts=1000000&set.num_hidden_layers=3000", "v=1&model=deepseek-v3&weights=q4_k_m&set.num_hidden_layers=10000&tp=4",
		`v=1&set.quantization_config={"quant_method":"fp8","ignore":["(.*)*[0-9]z"]}`, `v=1&set.quantization_config={"quant_method":"fp8","ignore":["re:(.*)*(.*)*(.*)*[0-9]z"]}&set.num_hidden_layers=4000`,
		"v=1&set.model_type=no_such_type" + strings.Repeat("&set.x.y.z=1", 20),
	} {
		for _, at := range []string{"/?", "/answer.png?"} {
			link := at + strings.NewReplacer(`"`, "%22", "[", "%5B", "]", "%5D", "{", "%7B", "}", "%7D", "*", "%2A", ",", "%2C").Replace(q)
			if at != "/?" {
				if parsed, _, fault := query.Parse(q); fault == nil {
					link = pictureAt(t, parsed.String())
				}
			}
			paths = append(paths, link)
		}
	}
	return paths
}

// dearAtEdge asks each once: a page is always there, and a card, or the way to the site's own.
func dearAtEdge(t *testing.T, url string) {
	var list []*unfurl
	for _, p := range dear(t) {
		list = append(list, &unfurl{Path: p})
	}
	atEdge(t, url, list)
	painted := 0
	for _, u := range list {
		switch card := strings.HasPrefix(u.Path, "/answer.png"); {
		case card && u.Status == http.StatusFound:
		case u.Status != http.StatusOK:
			t.Errorf("%.300s has status %d", u.Path, u.Status)
		case card:
			painted++
		}
	}
	// A budget of steps decides which are painted, not a clock (TestSteps).
	if painted < len(list)/4 {
		t.Errorf("%d of %d links have a card", painted, len(list)/2)
	}
}

// BenchmarkEdge holds what a request takes of the processor, once the host's compiler has seen the program work: of some
// rounds in one process, the least disturbed.
func BenchmarkEdge(b *testing.B) {
	url := host(b)
	if compiler != "tinygo" {
		b.Skip("the program for the edge is TinyGo's")
	}
	const rounds = 12
	paths := dear(b)
	for b.Loop() {
		var list []*unfurl
		for range rounds {
			for _, p := range paths {
				list = append(list, &unfurl{Path: p})
			}
		}
		atEdge(b, url, list)
		most := 0.0
		for i, p := range paths {
			least := list[i].CPU
			for at := i; at < len(list); at += len(paths) {
				least = min(least, list[at].CPU)
			}
			b.Logf("%5.1f ms %d %.120s", least, list[i].Status, p)
			if most = max(most, least); least > atMost {
				b.Errorf("%.300s takes %.1f ms of the processor, more than %d", p, least, atMost)
			}
		}
		b.ReportMetric(most, "ms/dearest")
	}
}

func fileOf(path string) string {
	p, _, _ := strings.Cut(path, "?")
	return filepath.Join(dist, filepath.FromSlash(p), "index.html")
}

func afterHead(page string) string {
	_, rest, _ := strings.Cut(page, "</head>")
	return "</head>" + rest
}

func passedAtEdge(t *testing.T, url string) {
	const question = "/?v=1&model=gpt2&context=77"
	list := []*unfurl{
		{Path: "/"}, {Path: "/models/gpt2/"}, {Path: "/models/gpt2/card.png?12345678"}, {Path: "/models/gpt2/config.json?v=1"}, {Path: "/models/gpt2?v=1"},
		{Path: question, Asks: map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}},
		{Path: "/?v=1&context=" + strings.Repeat("9", 9000)},
		{Path: "/none/?v=1"},
		{Path: question, Broken: "edge.json"},
		{Path: "/?v=1&model=gpt2000"}, {Path: "/?v=1&model=gpt2&vs=gpt2000"}, {Path: "/?v=1&model=..%2F..%2Fembed"}, {Path: "/?v=1&model="}, {Path: "/?v=1&model=."}, {Path: "/?v=1&model=.."}, {Path: "/?v=1&model=gpt2&vs=."}, {Path: "/?v=1&model=gpt2&vs=.."},
		{Path: "/?v=1&model=gpt2&set.x=" + strings.Repeat("x", 300)}, {Path: "/?v=1&model=gpt2" + strings.Repeat("&set.x=1&vs.set.n_layer=2", 30)}, {Path: "/?v=1&model=gpt2" + strings.Repeat("&kontext=1", 300)},
		{Path: "/?v=7"}, {Path: "/?v=1&set.n_layer=-1&model=gpt2"},
		{Path: "/?v=1&model=gemma-2-9b&batch=2", Broken: "models/gemma"},
		{Path: "/?v=1&model=mixtral-8x7b&batch=2", Broken: "slow:models/mixtral"},
	}
	// The first request finds the function without anything loaded: what is broken is asked for in vain.
	broken := list[8]
	list = append([]*unfurl{broken}, slices.Delete(list, 8, 9)...)
	atEdge(t, url, list)
	for _, u := range list {
		if !u.Same {
			t.Errorf("%.80s %v: the page is changed: %q", u.Path, u.Asks, u.head(t))
		}
		if u.MS > 5000 {
			t.Errorf("%.80s: it took %.0f ms", u.Path, u.MS)
		}
	}
}

// hostileAtEdge: whatever is in the query, the head holds text and nothing else.
func hostileAtEdge(t *testing.T, url string) {
	h := maker(t, 4)
	var list []*unfurl
	for i := range 400 {
		path := []string{"/", "/models/gpt2/", "/embed/"}[i%3]
		link := "?" + h.query()
		if i < 2*len(payloads) { // good but for one value
			link = "?v=1&model=gpt2&" + []string{"kontext", "set.x"}[i%2] + "=" + h.escape(payloads[i/2])
		}
		if len(link) > 20_000 {
			link = link[:20_000]
		}
		list = append(list, &unfurl{Path: path + link})
	}
	atEdge(t, url, list)
	told := 0
	for _, u := range list {
		if u.Status != 200 {
			t.Errorf("%.300s: status %d", u.Path, u.Status)
		}
		if u.Same {
			continue
		}
		told++
		if extra := u.extra(t); extra != "" {
			t.Errorf("%.300s: the head holds %s", u.Path, extra)
		}
		if got := u.head(t); len(got["title"]) != 1 || len(got["og:title"]) != 1 || len(got["og:url"]) != 1 {
			t.Errorf("%.300s: the head is %v", u.Path, got)
		}
	}
	t.Logf("%d of %d hostile links are answered", told, len(list))
	if told < 20 {
		t.Errorf("only %d hostile links are answered: they do not test what they should", told)
	}
}

func content(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSpelledAtEdge: the functions spell out the characters that the core spells out, and none else.
func TestSpelledAtEdge(t *testing.T) {
	var all []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && (r < 0x10000 || r > 0xdffff && r < 0xe2000 || spell.Hidden(r)) {
			all = append(all, "a"+string(r)+"b")
		}
	}
	in, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "--input-type=module", "-e", `
		import { spelled } from "data:text/javascript;base64,`+base64.StdEncoding.EncodeToString(content(t, filepath.Join("..", "edge", "head.js")))+`";
		import { text } from "node:stream/consumers";
		console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(spelled)));`)
	node.Stdin = bytes.NewReader(in)
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(all) {
		t.Fatal(err, len(got))
	}
	for i, s := range all {
		if want := spell.Out(s); got[i] != want {
			t.Errorf("%q is spelled %q, want %q", s, got[i], want)
		}
	}
}

// TestEdgeRoutes: the host runs the function where a link may lead.
func TestEdgeRoutes(t *testing.T) {
	var c struct {
		Build struct {
			Folder string `toml:"edge_functions"`
		}
		Routes []struct{ Function, Path, Cache string } `toml:"edge_functions"`
	}
	if _, err := toml.Decode(string(content(t, filepath.Join("..", "netlify.toml"))), &c); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, r := range c.Routes {
		if kept := r.Cache == "manual"; kept != (r.Function == "card") {
			t.Errorf("%s: whether the host keeps its answers is %v", r.Path, kept)
		}
		paths = append(paths, r.Path)
		content(t, filepath.Join("..", filepath.FromSlash(c.Build.Folder), r.Function+".js"))
	}
	if want := []string{"/", "/models/*", "/embed/", "/answer.png"}; !slices.Equal(paths, want) {
		t.Errorf("the host runs it for %q, want %q", paths, want)
	}
	// Every file in the folder is a function to the host.
	files, err := os.ReadDir(filepath.Join("..", filepath.FromSlash(c.Build.Folder)))
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}
