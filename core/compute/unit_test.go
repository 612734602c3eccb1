package compute_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/work"
)

// asked describes a config for a picture or a sound.
func asked(t *testing.T, lib *family.Library, text string, unit family.Unit) *model.Model {
	t.Helper()
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.DescribeFor(cfg, lib, work.New(0), unit)
	if err != nil {
		t.Fatal(text, err)
	}
	return m
}

// TestPicturesElsewhere: a processor that is not in transformers, by its own rule (moonshotai/Kimi-VL-A3B-Instruct, image_processing_kimi_vl.py): patches of 14
// pixels, at most 4,096 of them by one scale for both sides, filled up to pieces of 28; a piece is a token.
func TestPicturesElsewhere(t *testing.T) {
	t.Parallel()
	lib := families.Library()
	for _, c := range []struct{ width, height, want int64 }{
		{1024, 768, 37 * 28},  // 73 · 54 patches; ⌈1024/28⌉ · ⌈768/28⌉
		{640, 480, 23 * 18},   // 45 · 34
		{1920, 1080, 43 * 24}, // 137 · 77 = 10,549: by √(4096/10549) to 1196 · 672
		{300, 1200, 11 * 43},  // 21 · 85
		{4096, 512, 92 * 12},  // 292 · 36 = 10,512: to 2556 · 319
	} {
		m := asked(t, lib, `{"model_type": "kimi_vl"}`, family.Unit{Width: c.width, Height: c.height})
		if u, ok := compute.UnitOf(m, compute.Picture, c.height, c.width); !ok || u.Given != c.want {
			t.Errorf("kimi_vl %d x %d: %d tokens, want %d", c.width, c.height, u.Given, c.want)
		}
	}
	// GLM-Image's processor raises an error for a picture longer than 4 to 1 (image_processing_glm_image.py, smart_resize).
	for _, c := range []struct {
		width, height int64
		taken         bool
	}{{1200, 300, true}, {1204, 300, false}, {300, 1204, false}, {20, 10, false}} {
		m := asked(t, lib, `{"model_type": "glm_image"}`, family.Unit{Width: c.width, Height: c.height})
		warned := false
		for _, w := range m.Warnings {
			warned = warned || w.Field == "image"
		}
		if u, _ := compute.UnitOf(m, compute.Picture, c.height, c.width); u.Given > 0 != c.taken || warned == c.taken {
			t.Errorf("glm_image %d x %d: %d tokens, warned %v", c.width, c.height, u.Given, warned)
		}
	}
}

// TestPictures holds tokens of pictures and of sounds to transformers' processors, or to what its classes give,
// and the work of towers to torch's own counter of FLOPs on the classes (build/oracle/pictures.py).
func TestPictures(t *testing.T) {
	text, err := os.ReadFile("testdata/pictures.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib := families.Library()
	n := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		number := func(i int) int64 {
			v, err := strconv.ParseInt(f[i], 10, 64)
			if err != nil {
				t.Fatal(line, err)
			}
			return v
		}
		switch f[0] {
		case "tokens":
			n++
			unit := family.Unit{Width: number(2), Height: number(3)}
			m := asked(t, lib, f[1], unit)
			u, ok := compute.UnitOf(m, compute.Picture, unit.Height, unit.Width)
			if !ok || u.Given != number(4) {
				t.Errorf("%s %sx%s: %d tokens, want %s", f[1], f[2], f[3], u.Given, f[4])
			}
		case "heard":
			n++
			u, ok := compute.UnitOf(asked(t, lib, f[1], family.Unit{Millis: number(2)}), compute.Sound, 0, 0)
			if !ok || u.Given != number(3) {
				t.Errorf("%s %s ms: %d tokens, want %s", f[1], f[2], u.Given, f[3])
			}
		case "flops":
			n++
			u, _, err := oracle.ParseUnit(line)
			if err != nil {
				t.Fatal(err)
			}
			if total, _, problem := u.Counted(lib); problem != "" || total != u.FLOPs {
				t.Errorf("%s: %.0f FLOPs, want %.0f (%+.3f%%) %s", u.Config, total, u.FLOPs, 100*(total/u.FLOPs-1), problem)
			}
		}
	}
	if n < 400 {
		t.Errorf("%d lines", n)
	}
}

// TestUnknownIsNamedOnce: a part that is all of its block has the block's name, which is not said twice.
func TestUnknownIsNamedOnce(t *testing.T) {
	t.Parallel()
	for block, want := range map[string]string{"candidates": "candidates", "decoder": "decoder, candidates"} {
		part := model.Part{Title: "candidates", Stream: "image", Tensors: []model.Tensor{{Op: model.MatMul, Elements: 6, Copies: 1, Uses: 1}}}
		m := &model.Model{Blocks: []model.Block{{Title: block, Kinds: []model.Kind{{Count: 1, Parts: []model.Part{part}}}}}}
		if _, _, _, unknown := compute.Seen(m, compute.Unit{Kind: compute.Picture}); unknown != want {
			t.Errorf("in %s: %q, want %q", block, unknown, want)
		}
	}
}
