package pages

import (
	"fmt"
	"os"
	"path/filepath"

	"llmsize/build/assets"
	"llmsize/build/cards"
)

// dress reads the site's colours, which cards and icons wear too. Those of other colours are forgotten.
func (b *Builder) dress() error {
	file := filepath.Join("site", "styles", "palette.css")
	palette, err := os.ReadFile(filepath.Join(b.Root, file))
	if err != nil {
		return fmt.Errorf("cards and icons take their colours from the site: %w", err)
	}
	if b.painter != nil && b.palette == string(palette) {
		return nil
	}
	if b.colours, err = cards.ReadColours(palette); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if b.kit, err = cards.Kit(b.colours); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	b.painter = &cards.Painter{Kit: b.kit, Dir: b.CardCache}
	b.palette, b.pictures = string(palette), map[about]picture{}
	b.icons = map[string][]byte{"icon.svg": assets.IconSVG(assets.IconColours(b.colours))}
	for _, p := range pngs {
		if b.icons[p.name], err = assets.IconPNG(assets.IconColours(b.colours), p.pixels, p.shape); err != nil {
			return err
		}
	}
	return nil
}

// pngs are the mark's pictures. The first stands on home screens, the last is made into favicon.ico.
var pngs = []struct {
	name   string
	pixels int
	shape  assets.IconShape
}{
	{"icon-touch.png", 180, assets.Full},
	{"icon-192.png", 192, assets.Rounded},
	{"icon-512.png", 512, assets.Rounded},
	{"icon-maskable.png", 512, assets.Maskable},
	{"icon-32.png", 32, assets.Rounded},
}

// iconsOf finds the addresses that every page names.
func iconsOf(url func(string) (string, error)) (look Icons, err error) {
	if look.SVG, err = url("icon.svg"); err != nil {
		return look, err
	}
	look.Manifest = manifestPath
	look.Touch, err = url("icon-touch.png")
	return look, err
}
