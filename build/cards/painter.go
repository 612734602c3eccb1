// Package cards makes the pictures that links show: of package card's cards, with the colours of the site's dark
// theme, as a blueprint, and with fonts that come as Go modules. Painting and packing one takes 10 ms, so pictures
// are kept in a folder by the hash of all that goes into them, the code that paints included:
//
//	kit, err := cards.Kit(colours)
//	painter := &cards.Painter{Kit: kit, Dir: ".cache/cards"}
//	pictures, err := painter.All(list)
//
// The [Kit] is a file of the site, too: the host's edge paints with it.
package cards

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"llmsize/build/toolchain"
	"llmsize/site/card"
)

// source is this package's own code.
//
//go:embed *.go
var source embed.FS

// Painter paints cards and keeps the pictures. It serves one caller at a time.
type Painter struct {
	Kit []byte // what it paints with
	Dir string // folder where pictures are kept; may be empty

	kit  *card.Kit
	seed []byte          // hash of what goes into every picture
	used map[string]bool // names of kept pictures that were asked for
}

// All paints a list of cards, on all processors, and returns their pictures in its order. Pictures
// that this painter was never asked for go from the folder.
func (p *Painter) All(list []*card.Card) ([][]byte, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	pictures, problems := make([][]byte, len(list)), make([]error, len(list))
	names := make([]string, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				pictures[i], names[i], problems[i] = p.one(list[i])
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
	var ok bool
	if p.kit, ok = card.ReadKit(string(p.Kit)); !ok {
		return errors.New("card: the kit cannot be read")
	}
	h := sha256.New()
	for _, code := range []fs.FS{source, card.Source} {
		files, err := fs.Glob(code, "*.go")
		if err != nil {
			return err
		}
		for _, name := range files {
			text, err := fs.ReadFile(code, name)
			if err != nil {
				return err
			}
			h.Write(text)
		}
	}
	h.Write(p.Kit)
	p.seed, p.used = h.Sum(nil), map[string]bool{}
	if p.Dir != "" {
		if err := os.MkdirAll(p.Dir, 0o755); err != nil {
			return fmt.Errorf("card: %w", err)
		}
	}
	return nil
}

// one answers with a kept picture or paints it, and says under which name it is kept.
func (p *Painter) one(c *card.Card) (picture []byte, name string, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, "", fmt.Errorf("card %s: %w", c.Title, err)
	}
	sum := sha256.Sum256(append(p.seed[:len(p.seed):len(p.seed)], text...))
	name = hex.EncodeToString(sum[:16]) + ".png"
	file := filepath.Join(p.Dir, name)
	if p.Dir != "" {
		if kept, err := os.ReadFile(file); err == nil {
			return kept, name, nil
		}
	}
	if lacks := p.kit.Lacks(c); lacks != "" {
		return nil, "", fmt.Errorf("card %s: the kit lacks %q", c.Title, lacks)
	}
	if picture, err = pack(card.Paint(c, p.kit)); err != nil {
		return nil, "", fmt.Errorf("card %s: %w", c.Title, err)
	}
	if p.Dir != "" {
		err = toolchain.WriteWhole(file, picture)
	}
	return picture, name, err
}

// pack makes a PNG of a picture. The bytes are a function of the pixels.
func pack(p *card.Picture) ([]byte, error) {
	img := &image.Paletted{Pix: p.Rows[1:], Stride: card.Width + 1, Rect: image.Rect(0, 0, card.Width, card.Height)}
	for _, c := range p.Colours {
		img.Palette = append(img.Palette, color.RGBA{c.R, c.G, c.B, 255})
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := encoder.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
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
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // another build may be quicker
				return err
			}
		}
	}
	return nil
}
