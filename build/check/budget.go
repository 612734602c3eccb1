package check

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"llmsize/build/assets"
)

// Budget is the most that a thing may weigh on the wire, in bytes after brotli at level 11.
// Measured is what it weighed when the limit was set. Raising a limit takes a sentence in the
// same change that says what the bytes buy.
type Budget struct{ Limit, Measured int }

// Budgets are all limits.
type Budgets struct {
	Home, Chapter, Model, List Budget // HTML of one page, glyphs included
	Keys                       Budget // HTML of the page on every config key
	Styles                     Budget // all stylesheets that a page links for screens
	Paper                      Budget // the sheet that a page links for paper, which no screen waits for
	Script                     Budget // scripts that a page names, with what they import at once
	Frame                      Budget // the same for the frame on other sites, which answers with what it names
	Scripts                    Budget // all scripts of the site's own, those loaded on use too
	Formulas                   Budget // atoms and fonts of formulas behind numbers, loaded when somebody goes to open one
	Search                     Budget // the search's script with its library, style and index, loaded when somebody searches
	Family                     Budget // the index of families and the heaviest of them, loaded for a config of another family
	Families                   Budget // families.txt, loaded for a type that nobody knows, and kept for when there is no network
	Calc                       Budget // calc.wasm, loaded with the page
	Draw                       Budget // draw.wasm, loaded when somebody turns to a calculator
	Lenses                     Budget // lenses.wasm, loaded when somebody looks through another lens
	Explain                    Budget // explain.wasm, loaded in its place when somebody compares
	Speed                      Budget // speed.wasm with what is known of engines, loaded in a worker when somebody asks how fast a run will be
	Hub                        Budget // hub.wasm, loaded in a worker when somebody brings a model of the hub
	Shown                      Budget // what the home page names and needs to be read: HTML, styles, scripts and the display face
	First                      Budget // all that travels before the home page answers an edit: Shown, the calculator's scripts and Calc
	Edge                       Budget // what the host's edge loads to answer a link: edge.wasm, and the kit of the cards
}

// limits holds for both compilers; the programs are what differs.
func limits(calc, draw, lenses, explain, speed, first, hub Budget) Budgets {
	return Budgets{
		// Home shows its verdict, the device's memory and four tabs from the build: 3 kB more than a list of cards.
		Home: Budget{Limit: 18_500, Measured: 17_911},
		// The heaviest is the list of all types, which has one more now and then.
		Chapter: Budget{Limit: 36_000, Measured: 35_867},
		// A drawing for phones besides the wide one is up to 3 kB of a model with many kinds of layers.
		// Grounding DINO's, which sees, reads and finds, is a kilobyte more than any other's.
		Model: Budget{Limit: 26_600, Measured: 26_379},
		List:  Budget{Limit: 12_000, Measured: 7_062},
		// Some 1,500 keys (1,100 when it was 66,543), since all types are counted, with the types and defaults of each: 48 bytes a key.
		// It is one page, so that a browser's own search finds a key without script. A script's name alone, which follows
		// its content, makes it 90 bytes more or less: 73,917 and 74,005 were measured with the same text.
		// 300 more: Falcon's slopes, FNet's stored matrices, and what a codec or Kyutai's embedding is refused for.
		// 1,000 more: keys of the types that transformers 5.24.0 brought, layers that run again among them.
		// 200 more: keys that decide something after all, as random configs showed.
		Keys: Budget{Limit: 75_700, Measured: 75_647},
		// Chapters link the sheets of charts and of rules beside the site's own; the home page does not.
		// A kilobyte since it was 9,532: shadows where something scrolls, tables that a phone can read, and whose answer is shown.
		// Half a kilobyte more: pickers, chips, and what is reserved before the answer to a link.
		// 700 bytes more: drawings of mechanisms, problems, and the matrix of a device.
		Styles: Budget{Limit: 12_500, Measured: 12_391},
		// What the whole calculator has on paper is here since it has a first screen.
		Paper: Budget{Limit: 1_800, Measured: 1_672},
		// The heaviest is a page that shows an answer in a frame; what holds a link's question back is 70 bytes of each.
		// The name of a link's model, shown before its answer, is another 100.
		// 200 bytes let the calculator's 10 kB wait for a reader, and press what was pressed meanwhile.
		// 30 bytes tell a pointer that moves from a page that moves under it, which loaded 15 kB.
		Script: Budget{Limit: 2_950, Measured: 2_926},
		Frame:  Budget{Limit: 3_000, Measured: 2_544},
		// Of them 7 kB are beside.js, loaded when a reader first moves: charts, links to numbers, what lights up
		// together, keys, help with a config, and where formulas stand. 2 kB more set formulas as MathJax does, where
		// MathJax itself would be 380 kB. The worker that looks for layouts has 1.3 kB, what drives a counting program in it
		// once more. 4 kB take a number apart, read checkpoints and find models by name. What is loaded before has its limit in the tests of site.
		// 8 kB more read checkpoints, share an answer, judge guesses and goals, walk through drawings and show speeds: each on use.
		// 3 kB let readers drag numbers in chapters and put a predicted time on the first screen.
		// 1 kB more lets the drawing have a program of its own, and numbers in chapters follow their calculator.
		// Half a kB keeps edits while a model is on its way, reads how many devices are meant, and puts the device beside the model by Tab.
		// Half a kB more lets a phone swipe through a drawing part by part, keys move the memory bar, and a finger ask before it opens.
		// 300 bytes more light the sides of a matrix with it.
		// 200 more take a name in a link for the one model that it fits, lead a phone to a comparison, and say there what an edit changed.
		// 100 more show the moment of a picture that is tapped, and say after an edit what its peak was before.
		// 50 more keep the goal that somebody typed when an edit writes its form anew.
		// 100 more fetch what a link's question needs together: its verdict is there 0.3 to 1.2 seconds earlier.
		// 50 more let the larger program answer where the small one does not come.
		// 10 more fetch a framed question's programs with its model's page.
		Scripts: Budget{Limit: 58_110, Measured: 58_101},
		// Nine tenths of it are 160 glyphs.
		Formulas: Budget{Limit: 26_000, Measured: 21_153},
		// The index holds every sentence of the book: nine tenths of it. A chapter is about 4 kB.
		// Eight chapters more, each with five kinds of problems, and a page for each device. It is loaded when somebody searches.
		// A kilobyte more: why each way to divide a training is limited as it is, how many users fit, what each way to keep less costs.
		// One more: what was left out of predictions, and how far they lie then.
		// Half of one: keys of towers that have a page since they count.
		// 500 bytes more: two models, and keys of the types that transformers 5.24.0 brought.
		Search: Budget{Limit: 123_000, Measured: 122_745},
		// Each family comes with what it needs; a third of the heaviest is the index, of some 900 names.
		Family: Budget{Limit: 12_000, Measured: 8_100},
		// Some 900 types: since all that look, listen, draw and speak are counted too, half of them alone. A page gets them all
		// only for a type that no family names. 9 kB are what the classes of all types let keys hold: 3 bytes each.
		// Files that share much stand together (build/answers/order.go), which made room for the work of sounds, clips and series.
		// 2,100 bytes more: how many places each part of a tower works on, where these were taken for as many as the layers have: pieces and
		// windows that are filled up or cut, mergers and adapters behind the layers, sizes of masks, lines of text, transducers, Q-Formers.
		// 1,400 more: words before a picture and beside it, tiles of another size, spectra before an encoder, relative positions, stages of FastViT and MobileNetV5, codes that are heard.
		// 600 more: places of all maps in Deformable DETR and RT-DETR, keys and values of places in DETR and DAB-DETR, and the maps of MaskFormer, Mask2Former and UPerNet.
		// 2,000 more: maps that LW-DETR doubles or halves, RF-DETR's masks, what PP-DocLayout finds and orders, DEIMv2, OneFormer, DETR's masks, the maps behind Depth Anything and DPT, what SAM asks of an image, the heads of EoMT, ViTPose and OWL-ViT, the pieces that Depth Pro sees, and windows that are filled up, at the places that they have.
		// 500 more: frames of X-CLIP and TVP, and which of BridgeTower's products are a picture's and which a text's.
		// 500 more: sounds of VibeVoice, Fun-ASR-Nano and dots3-note, cut or filled up as their extractors do, and films of InstructBLIP-Video.
		// 500 more: frames that SEW squeezes, distances that conformers and SEW-D ask for, and what adapters and heads for speakers leave.
		// 500 more: maps that fit EdgeTAM's neck, Granite 4 Vision's projectors that run, and BridgeTower's towers of unequal depth.
		// 500 more: what detectors see of a picture over networks that leave out what is no whole step or patch at a side's end.
		// 900 more: classes with labels over Gemma 3, T5Gemma 2, Qwen3.5 and UltraVBERT, BLIP's and BLIP-2's for questions and matches, Whisper's
		// and GPT-2's other heads, and what lies between LeViT's stages.
		// 1,000 more: what SeamlessM4T hears, says and sounds with, Moshi whole, SAM 3 with its detector, and TIPS v2's other heads.
		// 700 more: Perceiver's other classes, and what a picture costs them.
		// 1,200 more: whole patches of a side, patches that reach over an end, OmDet-Turbo's and Efficient LoFTR's places, what Muse Spark hears.
		// 800 more: which code a config's auto_map names, and Jina Embeddings v3 with what it learns for each task.
		// 400 more: word embeddings that two configs tie, and rules that several keys make together, as random configs showed.
		// 3,800 more: the eighteen types that transformers 5.24.0 brought.
		// 500 more: what classes refuse or build beside the rest, as random configs showed.
		Families: Budget{Limit: 219_600, Measured: 219_452},
		Calc:     calc,
		Draw:     draw,
		Lenses:   lenses,
		Explain:  explain,
		Speed:    speed,
		Hub:      hub,
		// The rest is loaded when a reader moves or the browser has nothing to do.
		Shown: Budget{Limit: 32_000, Measured: 30_985},
		First: first,
		// No page loads it. A sixth of it is letters; a card's painter is 20 kB of the program.
		Edge: Budget{Limit: 192_000, Measured: 178_773},
	}
}

// TinyGo and Go are the limits by the compiler that made the WebAssembly. Lenses holds what running,
// computing and training take. It is loaded after the first answer to a reader's question; what the first answer needs is Calc. Formulas of
// activations are 3.6 kB of it under TinyGo, 60 under Go. Calc holds the budget of work and the matcher that
// takes no longer for any list of modules, 2.9 kB, and the page says whose answer it shows, 0.2: with both no link hangs or misleads it.
// Explain has 150 bytes for gates that a matrix of their own makes. First counts the display face, 4.8 kB of it. All scripts may be 57.9 kB, for what writes an edit without parsing (0.5), what a tap and an edit say of a step (0.1), and typed amounts, the marked length and the focus after an offered change (0.2). Go's speed has 8 kB more than its 987 for what a step reads of a cache that an index picks from.
// What was taken out of them, and what they should still lose, is in docs/decisions.md, "What a program of the page holds".
var (
	TinyGo = limits(Budget{Limit: 57_600, Measured: 57_585}, Budget{Limit: 17_500, Measured: 17_432}, Budget{Limit: 174_000, Measured: 173_725}, Budget{Limit: 204_200, Measured: 204_016}, Budget{Limit: 194_900, Measured: 189_965}, Budget{Limit: 100_000, Measured: 99_959}, Budget{Limit: 200_000, Measured: 134_813})
	Go     = limits(Budget{Limit: 720_000, Measured: 689_139}, Budget{Limit: 540_000, Measured: 521_724}, Budget{Limit: 1_060_000, Measured: 1_012_940}, Budget{Limit: 1_170_000, Measured: 1_123_219}, Budget{Limit: 995_000, Measured: 987_844}, Budget{Limit: 757_500, Measured: 726_000}, Budget{Limit: 1_200_000, Measured: 1_181_805})
)

// Size is a measured thing with its limit.
type Size struct {
	Page string
	What string // html, styles, script, calc
	Raw  int
	Size int
	Budget

	kind  string // things that are alike: the pages of all models
	files []string
}

// String is a line of the table of sizes.
func (s Size) String() string {
	return fmt.Sprintf("%-42s %-7s %8d raw %7d brotli of %7d", s.Page, s.What, s.Raw, s.Size, s.Limit)
}

// Sizes weighs the pages and what they load, and returns the heaviest of each kind and all that
// are past their limit. The others are weighed too, but by a quick upper bound: a site has hundreds of
// pages of models, and level 11 takes a tenth of a second for each.
func Sizes(site Site, budgets Budgets, brotli assets.Brotli) ([]Size, error) {
	all, err := quickSizes(site, budgets, brotli)
	if err != nil {
		return nil, err
	}
	// The quick bound sorts well enough to find the heaviest of a kind.
	slices.SortStableFunc(all, func(a, b Size) int { return b.Size - a.Size })
	seen := map[string]bool{}
	var list []Size
	for _, s := range all {
		if seen[s.kind] && s.Size <= s.Limit {
			continue
		}
		seen[s.kind] = true
		s.Size = 0
		for _, file := range s.files {
			n, err := brotli.Size(site.Files[file])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			s.Size += n
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Size) int { return strings.Compare(a.What+a.Page, b.What+b.Page) })
	return list, nil
}

// quickSizes weighs everything by its upper bound.
func quickSizes(site Site, budgets Budgets, brotli assets.Brotli) ([]Size, error) {
	var sizes []Size
	bounds := brotli.Bounds()
	weigh := func(page, what, kind string, budget Budget, files ...string) error {
		if len(files) == 0 {
			return nil
		}
		s := Size{Page: page, What: what, Budget: budget, kind: kind, files: files}
		for _, file := range files {
			n, err := bounds.Of(site.Files[file])
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			s.Raw += len(site.Files[file])
			s.Size += n
		}
		sizes = append(sizes, s)
		return nil
	}
	programs := map[string]Budget{"calc": budgets.Calc, "draw": budgets.Draw, "lenses": budgets.Lenses, "explain": budgets.Explain, "speed": budgets.Speed, "hub": budgets.Hub}
	loaded := map[string]bool{}
	var own, found, formulas, edge, first []string
	var problems []error
	for _, file := range slices.Sorted(maps.Keys(site.Files)) {
		page := strings.TrimSuffix(file, "index.html")
		switch {
		case path.Ext(file) == ".wasm" && programs[program(file)] != (Budget{}):
			if program(file) == "calc" {
				first = append(first, file)
			}
			problems = append(problems, weigh(file, program(file), program(file), programs[program(file)], file))
		case strings.HasPrefix(file, assets.Folder+"edge-"):
			edge = append(edge, file)
		case strings.HasPrefix(file, assets.Folder+"families-") && path.Dir(file)+"/" != assets.Folder:
			problems = append(problems, weigh(file, "family", "family", budgets.Family, path.Dir(file)+"/index.txt", file))
		case strings.HasPrefix(file, assets.Folder+"families-"):
			problems = append(problems, weigh(file, "data", "families", budgets.Families, file))
		case strings.HasPrefix(file, assets.Folder+"formulas-") && path.Ext(file) != ".css", strings.HasPrefix(file, assets.Folder+"zero-"):
			formulas = append(formulas, file)
		case strings.HasPrefix(file, assets.Folder+"search-") || file == assets.SearchPath:
			found = append(found, file)
		case path.Ext(file) == ".js" && !strings.Contains(file, ".exec-"): // what the compilers bring is not ours
			own = append(own, file)
			if strings.HasPrefix(file, assets.Folder+"calculator-") { // main.js asks for it before an edit
				first = append(first, file)
			}
		case path.Ext(file) == ".html" && file != "/404.html":
			budget, kind := budgets.of(page)
			problems = append(problems, weigh(page, "html", kind, budget, file))
			styles, scripts := loads(site.Files, file)
			styles, paper := forPaper(site.Files[file], styles)
			if key := strings.Join(paper, " "); key != "" && !loaded[key] {
				loaded[key] = true
				problems = append(problems, weigh(page, "paper", "paper", budgets.Paper, paper...))
			}
			if key := strings.Join(styles, " "); !loaded[key] { // pages that load the same are one line
				loaded[key] = true
				problems = append(problems, weigh(page, "styles", "styles", budgets.Styles, styles...))
			}
			if key := strings.Join(scripts, " "); !loaded[key] {
				loaded[key] = true
				budget, kind := budgets.Script, "script"
				if unlisted(page) {
					budget, kind = budgets.Frame, "frame"
				}
				problems = append(problems, weigh(page, "script", kind, budget, scripts...))
			}
		}
	}
	if home := "/index.html"; site.Files[home] != nil {
		styles, scripts := loads(site.Files, home)
		styles, _ = forPaper(site.Files[home], styles)
		shown := slices.Concat([]string{home}, styles, scripts, fonts(site.Files[home]))
		problems = append(problems, weigh("/", "shown", "shown", budgets.Shown, shown...))
		first = append(first, shown...)
		problems = append(problems, weigh("/", "first", "first", budgets.First, imports(site.Files, first)...))
	}
	problems = append(problems, weigh(assets.Folder+"formulas-*", "formulas", "formulas", budgets.Formulas, formulas...))
	problems = append(problems, weigh(assets.SearchPath, "search", "search", budgets.Search, found...))
	problems = append(problems, weigh(assets.Folder+"edge-*", "edge", "edge", budgets.Edge, edge...))
	problems = append(problems, weigh(assets.Folder+"*.js", "scripts", "scripts", budgets.Scripts, own...))
	return sizes, errors.Join(append(problems, bounds.Keep())...)
}

// program is the name of the program in a file of assets: calc of /assets/calc-0123abcd.wasm.
func program(file string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(file, assets.Folder), "-")
	return name
}

// of is the limit of a page's HTML, and what kind of page it is.
func (b Budgets) of(page string) (Budget, string) {
	switch {
	case page == "/":
		return b.Home, "home"
	case page == "/models/":
		return b.List, "list"
	case page == "/read-a-config-json/":
		return b.Keys, "keys"
	case strings.HasPrefix(page, "/models/"):
		return b.Model, "model"
	}
	return b.Chapter, "chapter"
}

var (
	styleLink    = regexp.MustCompile(`<link[^>]+href="([^"]+\.css)"`)
	scriptSource = regexp.MustCompile(`<script[^>]+src="([^"]+\.js)"`)
	fontLink     = regexp.MustCompile(`<link[^>]+href="([^"]+\.woff2)"`)
	staticImport = regexp.MustCompile(`(?:from|import)\s*"([^"]+\.js)"`)
)

// loads lists the styles and scripts that come with a page, imports of scripts included.
func loads(files map[string][]byte, page string) (styles, scripts []string) {
	for _, m := range styleLink.FindAllSubmatch(files[page], -1) {
		styles = append(styles, string(m[1]))
	}
	for _, m := range scriptSource.FindAllSubmatch(files[page], -1) {
		scripts = append(scripts, string(m[1]))
	}
	return styles, imports(files, scripts)
}

// fonts lists the fonts that a page names.
func fonts(page []byte) (files []string) {
	for _, m := range fontLink.FindAllSubmatch(page, -1) {
		files = append(files, string(m[1]))
	}
	return files
}

// imports adds what scripts import at once.
func imports(files map[string][]byte, scripts []string) []string {
	for i := 0; i < len(scripts); i++ {
		if path.Ext(scripts[i]) != ".js" {
			continue
		}
		for _, m := range staticImport.FindAllSubmatch(files[scripts[i]], -1) {
			imported := path.Join(path.Dir(scripts[i]), string(m[1]))
			if strings.HasPrefix(string(m[1]), "/") {
				imported = string(m[1])
			}
			if !slices.Contains(scripts, imported) {
				scripts = append(scripts, imported)
			}
		}
	}
	return scripts
}

// forPaper parts the styles that a page links for paper alone from the others.
func forPaper(page []byte, all []string) (screen, paper []string) {
	for _, name := range all {
		if bytes.Contains(page, []byte(`href="`+name+`" media="print"`)) {
			paper = append(paper, name)
		} else {
			screen = append(screen, name)
		}
	}
	return screen, paper
}

// Over reports what is heavier than its limit.
func Over(sizes []Size) []Finding {
	var findings []Finding
	for _, s := range sizes {
		if s.Size > s.Limit {
			findings = append(findings, Finding{Page: s.Page, What: fmt.Sprintf(
				"%s weighs %d bytes after brotli, %d more than its limit of %d (it was %d when that was set): make it lighter, or raise the limit in build/check/budget.go and say why",
				s.What, s.Size, s.Size-s.Limit, s.Limit, s.Measured)})
		}
	}
	return findings
}
