// Package maths turns TeX into HTML at build time, so that no page carries a formula renderer.
//
// # What comes out
//
// A formula is an SVG drawing, hidden from assistive technology, beside MathJax's own
// MathML, hidden from sight:
//
//	<span class="maths"><svg aria-hidden="true" focusable="false" …>…</svg><math>…</math></span>
//
// A displayed formula is in a box of its own. One that is too wide for a phone can
// be scrolled there, and so takes the keyboard's focus and has a name:
//
//	<div class="formula" tabindex="0" role="group" aria-label="formula">…</div>
//
// Drawings use the glyphs of one sprite per page: [Page] collects which. Sizes are in em,
// so the font size of the svg element scales formulas; glyphs are drawn in currentColor.
// No style attribute is left: depth below the baseline is a class (depth-3) from [CSS].
//
// # What authors write
//
// TeX of the AMS kind, with \class{name}{…} and \cssId{id}{…}. Package rules in lint.go
// say what is refused; a TeX mistake is an error, never a red formula on a page. The
// letters of dimensions get their colour by themselves ([Letters]).
//
// # Formulas that are not known at build
//
// Those behind a number of the calculator are put together in the page, by site/scripts/typeset.js. [NewLive] makes what
// that takes: MathJax's CHTML of every letter, sign and construction, its stylesheet for them, and its font cut to
// their glyphs. The font is cut by a package in Node; all else runs here.
//
// # How
//
// MathJax 4 comes from node_modules, is bundled by esbuild and runs in goja. It starts
// at the first formula that the disk cache does not hold. Cache entries are named by the hash
// of TeX, style, options and versions, so the folder can be kept and thrown away at will.
package maths

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"llmsize/build/toolchain"
)

// format is part of every cache key: raise it when draw.go writes different HTML.
const format = "1"

// Formula is one rendered formula.
type Formula struct {
	HTML   string            `json:"html"`
	Glyphs map[string]string `json:"glyphs"` // outline of every glyph that HTML uses, by id
	Width  float64           `json:"width"`  // em of the formula's own font size
}

// Renderer renders formulas and remembers them, in memory and on disk. It is safe for
// several goroutines; rendering itself is one at a time.
type Renderer struct {
	nodeModules string
	cacheDir    string
	options     string // hashed into every key

	mu     sync.Mutex
	engine *engine
	memory map[string]Formula
}

// New makes a renderer. nodeModules is the folder that npm filled; cacheDir may be empty
// for none. It fails when MathJax is not installed.
func New(nodeModules, cacheDir string) (*Renderer, error) {
	nodeModules, err := filepath.Abs(nodeModules)
	if err != nil {
		return nil, err
	}
	installed, err := versions(nodeModules, "@mathjax/src", fontPackage)
	if err != nil {
		return nil, err
	}
	return &Renderer{
		nodeModules: nodeModules,
		cacheDir:    cacheDir,
		options:     strings.Join(append([]string{format, installed, entry}, fontRanges...), "\n"),
		memory:      map[string]Formula{},
	}, nil
}

// Render gives the formula for TeX source, as display or inline. The error is the
// author's to mend: a broken house rule, TeX's own complaint, or a missing glyph.
func (r *Renderer) Render(tex string, display bool) (Formula, error) {
	tex = strings.TrimSpace(tex)
	if err := Lint(tex); err != nil {
		return Formula{}, err
	}
	tex = Letters(tex)
	key := r.key(tex, display)
	r.mu.Lock()
	defer r.mu.Unlock()
	if f, ok := r.memory[key]; ok {
		return f, nil
	}
	f, err := r.load(key)
	if err != nil {
		if f, err = r.typeset(tex, display); err != nil {
			return Formula{}, err
		}
		if err := r.store(key, f); err != nil {
			return Formula{}, err
		}
	}
	if !display && f.Width > maxInline {
		return Formula{}, fmt.Errorf("%.1f em is too wide for a line on a phone (at most %d): display it with $$…$$", f.Width, maxInline)
	}
	r.memory[key] = f
	return f, nil
}

func (r *Renderer) typeset(tex string, display bool) (Formula, error) {
	if r.engine == nil {
		e, err := newEngine(r.nodeModules)
		if err != nil {
			return Formula{}, err
		}
		r.engine = e
	}
	a, err := r.engine.typeset(tex, display)
	if err != nil {
		if _, stopped := errors.AsType[*goja.InterruptedError](err); stopped {
			r.engine = nil // its state is unknown; the next formula starts a new one
		}
		return Formula{}, fmt.Errorf("TeX: %w", err)
	}
	return draw(a, display)
}

func (r *Renderer) key(tex string, display bool) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%v\n%s", r.options, display, tex))
	return hex.EncodeToString(sum[:])
}

func (r *Renderer) file(key string) string {
	return filepath.Join(r.cacheDir, key[:2], key[2:]+".json")
}

// load reads a formula from disk; any failure just means that it is not there.
func (r *Renderer) load(key string) (Formula, error) {
	if r.cacheDir == "" {
		return Formula{}, os.ErrNotExist
	}
	data, err := os.ReadFile(r.file(key))
	if err != nil {
		return Formula{}, err
	}
	var f Formula
	err = json.Unmarshal(data, &f)
	return f, err
}

func (r *Renderer) store(key string, f Formula) error {
	if r.cacheDir == "" {
		return nil
	}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return keep(r.file(key), data)
}

// keep writes a cache entry.
func keep(name string, data []byte) error {
	if err := toolchain.WriteWhole(name, data); err != nil {
		return fmt.Errorf("formula cache: %w", err)
	}
	return nil
}

//go:embed maths.css
var baseCSS string

// CSS is the stylesheet that formulas need: the rules of maths.css and one class per depth.
func CSS() string {
	var b strings.Builder
	b.WriteString(baseCSS)
	for i := 1; i <= maxDepth; i++ {
		fmt.Fprintf(&b, ".maths .depth-%d { vertical-align: -%sem; }\n", i, em(float64(i*depthStep)))
	}
	return b.String()
}
