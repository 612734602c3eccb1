package maths

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// patience is how long one formula may take. A warm one takes about 20 ms.
const patience = 20 * time.Second

// engine is MathJax inside a JavaScript machine. It serves one caller at a time.
type engine struct {
	vm     *goja.Runtime
	render goja.Callable
}

// answer is what entry.js hands back.
type answer struct {
	ViewBox string            `json:"viewBox"` // x y width height in thousandths of an em, y upwards from the baseline
	Drawing string            `json:"drawing"` // the content of the svg element
	Glyphs  map[string]string `json:"glyphs"`  // outline of each glyph by id
	MathML  string            `json:"mathml"`
}

// newEngine bundles, compiles and starts MathJax; about half a second.
func newEngine(nodeModules string) (*engine, error) {
	vm, err := start(nodeModules, entry)
	if err != nil {
		return nil, err
	}
	render, ok := goja.AssertFunction(vm.Get("renderTeX"))
	if !ok {
		return nil, errors.New("start MathJax: entry.js defines no renderTeX")
	}
	return &engine{vm: vm, render: render}, nil
}

// start runs an entry script with what it imports.
func start(nodeModules, entry string) (*goja.Runtime, error) {
	script, err := bundle(nodeModules, entry)
	if err != nil {
		return nil, err
	}
	program, err := goja.Compile("mathjax.js", script, true)
	if err != nil {
		return nil, fmt.Errorf("compile MathJax: %w", err)
	}
	vm := goja.New()
	say := func(args ...any) { fmt.Fprintln(os.Stderr, append([]any{"mathjax:"}, args...)...) }
	if err := vm.Set("console", map[string]any{"log": say, "warn": say, "error": say}); err != nil {
		return nil, err
	}
	if _, err := vm.RunProgram(program); err != nil {
		return nil, fmt.Errorf("start MathJax: %w", err)
	}
	return vm, nil
}

// typeset renders one formula. After an error of kind *goja.InterruptedError the engine
// is in an unknown state and has to be replaced.
func (e *engine) typeset(tex string, display bool) (answer, error) {
	timer := time.AfterFunc(patience, func() {
		e.vm.Interrupt(fmt.Sprintf("no answer in %v", patience))
	})
	value, err := e.render(goja.Undefined(), e.vm.ToValue(tex), e.vm.ToValue(display))
	timer.Stop()
	if err != nil {
		if thrown, ok := errors.AsType[*goja.Exception](err); ok {
			// Only the message: the stack points into the bundle, not at the author's TeX.
			message := strings.TrimPrefix(thrown.Value().String(), "Error: ")
			return answer{}, errors.New(message)
		}
		return answer{}, err
	}
	var a answer
	if err := json.Unmarshal([]byte(value.String()), &a); err != nil {
		return answer{}, fmt.Errorf("read MathJax's answer: %w", err)
	}
	return a, nil
}
