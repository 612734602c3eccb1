package cards

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// source is this package's own code: a picture that other code has painted is not kept.
//
//go:embed *.go
var source embed.FS

// Painter paints cards and keeps the pictures. It serves one caller at a time.
type Painter struct {
	Colours Colours
	Dir     string // folder where pictures are kept; may be empty

	seed []byte          // hash of what goes into every picture
	used map[string]bool // names of kept pictures that were asked for
}

// All paints a list of cards, on all processors, and returns their pictures in its order. Pictures
// that this painter was never asked for go from the folder.
func (p *Painter) All(list []*Card) ([][]byte, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	pictures, problems := make([][]byte, len(list)), make([]error, len(list))
	names := make([]string, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			var set *typeset // made at the first picture that is not kept
			for i := range next {
				pictures[i], names[i], problems[i] = p.one(list[i], &set)
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	group.Wait()
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	for _, name := range names {
		p.used[name] = true
	}
	return pictures, p.sweep()
}

// prepare makes the hash that all names of files begin with.
func (p *Painter) prepare() error {
	if p.seed != nil {
		return nil
	}
	h := sha256.New()
	files, err := fs.Glob(source, "*.go")
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		h.Write(text)
	}
	colours, err := json.Marshal(p.Colours) // in the order of their names
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	h.Write(colours)
	p.seed, p.used = h.Sum(nil), map[string]bool{}
	if p.Dir != "" {
		if err := os.MkdirAll(p.Dir, 0o755); err != nil {
			return fmt.Errorf("card: %w", err)
		}
	}
	return nil
}

// one answers with a kept picture or paints it, and says under which name it is kept.
func (p *Painter) one(card *Card, set **typeset) (picture []byte, name string, err error) {
	text, err := json.Marshal(card)
	if err != nil {
		return nil, "", fmt.Errorf("card %s: %w", card.Title, err)
	}
	sum := sha256.Sum256(append(p.seed[:len(p.seed):len(p.seed)], text...))
	name = hex.EncodeToString(sum[:16]) + ".png"
	file := filepath.Join(p.Dir, name)
	if p.Dir != "" {
		if kept, err := os.ReadFile(file); err == nil {
			return kept, name, nil
		}
	}
	if *set == nil {
		if *set, err = newTypeset(); err != nil {
			return nil, "", err
		}
	}
	if picture, err = paint(card, *set, p.Colours); err != nil {
		return nil, "", fmt.Errorf("card %s: %w", card.Title, err)
	}
	if p.Dir != "" {
		err = os.WriteFile(file, picture, 0o644)
	}
	return picture, name, err
}

// sweep removes pictures that are no longer shown.
func (p *Painter) sweep() error {
	if p.Dir == "" {
		return nil
	}
	kept, err := filepath.Glob(filepath.Join(p.Dir, "*.png"))
	if err != nil {
		return err
	}
	for _, file := range kept {
		if !p.used[filepath.Base(file)] {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}
