package site_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	neturl "net/url"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/build/cards"
	"llmsize/core/query"
	"llmsize/site/card"
)

// decoded is the picture of an answer.
func (u *unfurl) decoded(t *testing.T) *image.Paletted {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(u.Picture))
	if err != nil {
		t.Fatalf("%.200s: %v", u.Path, err)
	}
	p, ok := img.(*image.Paletted)
	if !ok || p.Bounds() != image.Rect(0, 0, card.Width, card.Height) {
		t.Fatalf("%.200s: a picture of %v", u.Path, img.Bounds())
	}
	return p
}

// differ counts the pixels of two pictures that are not of one colour.
func differ(a, b image.Image) (n int) {
	for y := range card.Height {
		for x := range card.Width {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				n++
			}
		}
	}
	return n
}

// paintedAtEdge holds the cards of links against those that this process paints, and, for a model as it is,
// against the card that was made at build.
func paintedAtEdge(t *testing.T, url string) {
	css := content(t, filepath.Join("styles", "palette.css"))
	colours, err := cards.ReadColours(css)
	if err != nil {
		t.Fatal(err)
	}
	data, err := cards.Kit(colours)
	if err != nil {
		t.Fatal(err)
	}
	kit, ok := card.ReadKit(string(data))
	if !ok {
		t.Fatal("the kit cannot be read")
	}
	const llama, gpt, mixtral, deepseek = "Llama 3.1 8B", "GPT-2 124M", "Mixtral 8x7B", "DeepSeek V3"
	cases := []struct{ link, name, slug, maker, told, built string }{
		{"v=1", llama, "llama-3.1-8b", "Meta", "", "llama-3.1-8b"},
		{"v=1&model=gpt2", gpt, "gpt2", "OpenAI", "", "gpt2"},
		{"v=1&model=deepseek-v3", deepseek, "deepseek-v3", "DeepSeek", "", "deepseek-v3"},
		{"v=1&model=mixtral-8x7b&context=32k", mixtral, "mixtral-8x7b", "Mistral AI", "", ""},
		{"v=1&model=gpt2&set.n_layer=24", gpt, "gpt2", "OpenAI", "changed", ""},
		{"v=1&model=gpt2&set.model_type=gpt_neo", gpt, "gpt2", "OpenAI", "changed", ""},
		{"v=1&model=gpt2&set.n_layer=24&vs=llama-3.1-8b", gpt, "gpt2", "OpenAI", "changed, beside " + llama, ""},
		{"v=1&vs.context=9000", llama, "llama-3.1-8b", "Meta", "beside the same with context=9000", ""},
		{"v=1&devices=2&units=gib", llama, "llama-3.1-8b", "Meta", "", ""},
		{"v=1&weights=fp32&batch=64&device=rtx-4090-24gb", llama, "llama-3.1-8b", "Meta", "", ""},
		{"v=1&optimizer=muon&zero=3&dp=8", llama, "llama-3.1-8b", "Meta", "", ""},
	}
	var list []*unfurl
	for _, c := range cases {
		list = append(list, &unfurl{Path: "/answer.png?kontext=1&" + c.link + "&build=01234567"})
	}
	atEdge(t, url, list)
	for i, c := range cases { // one answer has one address
		q, _, fault := query.Parse(c.link)
		if fault != nil {
			t.Fatal(fault)
		}
		if own := pictureAt(t, q.String()); list[i].Status != 302 || list[i].Sent["location"] != url+own || list[i].Sent["cache-control"] != "no-store" {
			t.Errorf("%s: status %d, %v, want the way to %s", list[i].Path, list[i].Status, list[i].Sent, own)
		} else {
			list[i] = &unfurl{Path: own}
		}
	}
	atEdge(t, url, list)
	for i, c := range cases {
		u := list[i]
		if u.Status != 200 || u.Sent["content-type"] != "image/png" || u.Sent["cache-control"] != "public, max-age=86400" || u.Sent["netlify-cdn-cache-control"] != "public, max-age=31536000" {
			t.Errorf("%s: status %d, %v", c.link, u.Status, u.Sent)
		}
		got := u.decoded(t)
		of := card.Brief(counted(t, c.link, c.name, c.slug))
		of.Site, of.Kicker, of.Told = "llmsize", c.maker, c.told
		painted := card.Paint(&of, kit)
		want := &image.Paletted{Pix: painted.Rows[1:], Stride: card.Width + 1, Rect: got.Bounds()}
		for _, rgb := range painted.Colours {
			want.Palette = append(want.Palette, color.RGBA{rgb.R, rgb.G, rgb.B, 255})
		}
		if n := differ(got, want); n != 0 {
			t.Errorf("%s: %d pixels are not those that are painted natively", c.link, n)
		}
		if c.built != "" {
			file, err := png.Decode(bytes.NewReader(content(t, filepath.Join(dist, "models", c.built, "card.png"))))
			if err != nil {
				t.Fatal(err)
			}
			if n := differ(got, file); n != 0 {
				t.Errorf("%s: %d pixels are not those of the card made at build", c.link, n)
			}
		}
		t.Logf("%4.0f ms %6d bytes %s", u.MS, len(u.Picture), u.Path)
	}
}

// pictureAt is the address of the picture of a canonical query.
func pictureAt(t testing.TB, canonical string) string {
	t.Helper()
	var files struct{ Build string }
	if err := json.Unmarshal(content(t, filepath.Join(dist, "edge.json")), &files); err != nil {
		t.Fatal(err)
	}
	return "/answer.png?" + canonical + "&build=" + files.Build
}

// hostileCards: whatever is asked, there is a picture of an answer, under one address, or the way to it or to the site's.
func hostileCards(t *testing.T, url string) {
	h := maker(t, 5)
	own := func(canonical string) string { return pictureAt(t, canonical) }
	list := []*unfurl{
		{Path: own("v=1&model=mixtral-8x7b&batch=2"), Broken: "edge-kit"}, // the first request finds the function without the kit
		{Path: own("v=1&model=t5-v1.1-base&batch=2"), Broken: "slow:models/t5"},
		{Path: "/answer.png"}, {Path: "/answer.png?"}, {Path: "/answer.png?v=7"}, {Path: "/answer.png?%"}, {Path: "/answer.png?v=1&model=%E0%A4%A"}, {Path: own("v=1&model=gpt2000")},
		{Path: own("v=1&model=..")}, {Path: own("v=1&model=.")}, {Path: own("v=1&vs=..")}, {Path: own("v=1&model=gpt2&set.n_layer=-1")}, {Path: "/answer.png?v=1&context=" + strings.Repeat("9", 100_000)},
		{Path: own("v=1&set.__proto__.polluted=1&set.constructor.prototype=2")}, {Path: "/answer.png?__proto__=1&hasOwnProperty=2&v=1"},
		{Path: own("v=1&model=gpt2&set.model_type=" + strings.Repeat("x", 4000))}, {Path: "/answer.png?v=1&model=" + strings.Repeat("x", 4000)},
		{Path: own("v=1&model=gpt2"), Method: "HEAD"}, {Path: own("v=1&model=gpt2") + "&"}, {Path: own("v=1&model=gpt2&set.x=%27%22%3C%60%7C")},
	}
	for range 150 {
		link := "?" + h.query()
		if len(link) > 20_000 {
			link = link[:20_000]
		}
		list = append(list, &unfurl{Path: "/answer.png" + link})
	}
	painted, general, led := 0, 0, 0
	for step := range 3 {
		atEdge(t, url, list)
		var next []*unfurl
		for _, u := range list {
			at, err := neturl.Parse(u.Sent["location"])
			switch {
			case u.MS > 5000:
				t.Errorf("%.80s: it took %.0f ms", u.Path, u.MS)
			case u.Status == 200 && u.Sent["content-type"] == "image/png":
				u.decoded(t)
				painted++
			case u.Status != 302 || u.Sent["cache-control"] != "no-store" || err != nil || u.Sent["netlify-cdn-cache-control"] != "":
				t.Errorf("%.300s: status %d, %v, %v", u.Path, u.Status, u.Sent, err)
			case at.Path == "/card.png" && at.RawQuery == "":
				general++
			case at.Path == "/answer.png" && step < 2:
				led++
				next = append(next, &unfurl{Path: at.RequestURI()})
			default:
				t.Errorf("%.300s: leads to %s at last", u.Path, at)
			}
		}
		if list = next; len(list) == 0 {
			break
		}
	}
	t.Logf("%d pictures, %d of the site, %d led to another address", painted, general, led)
	if painted < 10 || general < 10 || led < 10 {
		t.Errorf("%d painted, %d general, %d led: they do not test what they should", painted, general, led)
	}
	refused := []*unfurl{{Path: "/answer.png?v=1", Method: "POST"}}
	atEdge(t, url, refused)
	for _, u := range refused {
		if !u.Passed {
			t.Errorf("%s %s: the host is not left to answer", u.Method, u.Path)
		}
	}
}
