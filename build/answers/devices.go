package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"llmsize/content/catalogue"
	"llmsize/core/device"
	"llmsize/core/family"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/quant"
	"llmsize/core/serve"
	"llmsize/core/units"
)

// devices is one table of content/devices: accelerators one by one, or systems
// made of them; or what fits each of them.
func (r *Reference) devices(of string) (string, error) {
	all, err := catalogue.LoadDevices(r.Content)
	if err != nil {
		return "", err
	}
	var p page
	switch of {
	case "accelerators":
		r.accelerators(&p, all)
	case "systems":
		r.systems(&p, all)
	default:
		err = r.fitting(&p, all)
	}
	return p.String(), err
}

// list begins a table that the page's script filters and sorts.
func (p *page) list(one, many, caption string, head ...string) {
	p.raw(`<div class="catalogue" data-catalogue data-of="`, many, `"><label class="filter">Find a `, one, ` <input type="search" data-filter autocomplete="off" spellcheck="false"></label><p class="quiet" data-filtered role="status"></p>`)
	p.table(caption, head...)
}

// accelerators is every device that stands alone, the newest makers' first as the
// files are sorted: by name.
func (r *Reference) accelerators(p *page, all *catalogue.Devices) {
	p.list("device", "devices", "Accelerators", "Device", "Maker", "Memory#", "Known", "Bandwidth#", "bf16#", "fp16#", "fp16, sums too#", "fp8#", "int8#", "fp4#", "tf32#", "fp32#", "Link#", "Power#", "Sources, as read")
	for i := range all.List {
		d := &all.List[i]
		if d.Of != nil {
			continue
		}
		s := d.Spec()
		p.raw(`<tr id="`).text(d.Slug).raw(`"><th scope="row"><a href="/devices/`).text(d.Slug).raw(`/">`).text(d.Name).raw(`</a></th><td>`).text(d.Maker).raw(`</td>`)
		p.raw(`<td class="num" title="`).text(units.Group(s.Memory)).raw(` bytes">`).text(units.Bytes(s.Memory).GB()).raw(`</td><td>`).text(s.Known).raw(`</td>`)
		p.figureOf(d, d.Bandwidth, units.Bytes(s.Bandwidth).GB()+"/s")
		for _, f := range []device.Format{device.BF16, device.FP16, device.Half, device.FP8, device.INT8, device.FP4, device.TF32, device.FP32} {
			if x, ok := d.Peak[f.String()]; ok {
				p.figureOf(d, &x, teras(x.PerSecond))
			} else {
				p.raw(`<td class="num"></td>`)
			}
		}
		link := ""
		if s.LinkRate > 0 {
			link = units.Bytes(s.LinkRate).GB() + "/s"
		}
		p.figureOf(d, d.Link, link)
		power := ""
		if d.Power != nil {
			power = strconv.FormatInt(d.Power.Watts, 10) + " W"
		}
		p.figureOf(d, d.Power, power)
		p.raw(`<td class="from">`)
		p.provenance(d)
		p.raw("</td></tr>\n")
	}
	p.end()
	p.raw(`</div>`)
}

// figureOf is a cell with a figure and the best grade of its sources.
func (p *page) figureOf(d *catalogue.Device, f *catalogue.Figure, reading string) {
	if f == nil || reading == "" {
		p.raw(`<td class="num"></td>`)
		return
	}
	p.raw(`<td class="num">`).text(reading).raw(` <small class="quiet">`).text(grade(d, f.From)).raw(`</small></td>`)
}

// teras is a rate in the unit of data sheets: "989 T".
func teras(n int64) string {
	s := strconv.FormatFloat(float64(n)/1e12, 'f', 2, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".") + " T"
}

// grade is the best grade of the sources that a figure names.
func grade(d *catalogue.Device, from []string) string {
	for _, g := range grades {
		for _, s := range from {
			if d.Sources[s].Grade == g.name {
				return g.name
			}
		}
	}
	return ""
}

// provenance opens to where each figure of a device was read.
func (p *page) provenance(d *catalogue.Device) {
	type at struct {
		what []string
		from string
	}
	var list []at
	add := func(what string, from []string) {
		for _, f := range from {
			i := slices.IndexFunc(list, func(x at) bool { return x.from == f })
			if i < 0 {
				list = append(list, at{from: f})
				i = len(list) - 1
			}
			list[i].what = append(list[i].what, what)
		}
	}
	for _, x := range []struct {
		what string
		f    *catalogue.Figure
	}{{"memory", d.Memory}, {"bandwidth", d.Bandwidth}, {"link", d.Link}, {"power", d.Power}} {
		if x.f != nil {
			add(x.what, x.f.From)
		}
	}
	for f := device.Format(0); f < device.NumFormats; f++ {
		if x, ok := d.Peak[f.String()]; ok {
			add(f.String(), x.From)
		}
	}
	if d.Of != nil {
		add("what it is made of", d.Of.From)
	}
	newest := ""
	for _, x := range list {
		newest = max(newest, d.Sources[x.from].Date)
	}
	p.raw(`<details><summary>`).text(newest).raw(`</summary><ul>`)
	for _, x := range list {
		s := d.Sources[x.from]
		p.raw(`<li>`).text(strings.Join(x.what, ", ")).raw(`: `).text(s.Title).raw(` (`).text(s.Grade).raw(`, <span class="date">`).text(s.Date).raw(`</span>)</li>`)
	}
	p.raw(`</ul>`)
	if d.Note != "" {
		p.raw(`<p>`).text(d.Note).raw(`</p>`)
	}
	p.raw(`</details>`)
}

// systems is what is made of several equal devices.
func (r *Reference) systems(p *page, all *catalogue.Devices) {
	p.table("Systems", "System", "Made of", "How many#", "Memory#", "Bandwidth#", "bf16#", "Link of each#", "Sources, as read")
	for i := range all.List {
		d := &all.List[i]
		if d.Of == nil {
			continue
		}
		s := d.Spec()
		p.raw(`<tr id="`).text(d.Slug).raw(`"><th scope="row"><a href="/devices/`).text(d.Slug).raw(`/">`).text(d.Name).raw(`</a></th><td><a href="#`).text(d.Of.Device).raw(`">`).text(all.Part(d).Name).raw(`</a></td>`)
		p.raw(`<td class="num">`, units.Group(s.Count), `</td><td class="num">`, units.Bytes(s.Memory*s.Count).GB(), `</td><td class="num">`, units.Bytes(s.Bandwidth*s.Count).GB(), `/s</td><td class="num">`)
		if n := s.Peak[device.BF16]; n > 0 {
			p.raw(teras(n * s.Count))
		}
		p.raw(`</td>`)
		link := ""
		if s.LinkRate > 0 {
			link = units.Bytes(s.LinkRate).GB() + "/s"
		}
		f := d.Link
		if f == nil {
			f = all.Part(d).Link
		}
		if f == nil || d.Link == nil {
			p.raw(`<td class="num">`).text(link).raw(`</td>`)
		} else {
			p.figureOf(d, f, link)
		}
		p.raw(`<td class="from">`)
		p.provenance(d)
		p.raw("</td></tr>\n")
	}
	p.end()
}

// fitted is what a catalogue model needs on each device, by the number of devices.
type fitted struct {
	model *catalogue.Model
	size  int64
	need  map[int64][len(fitFormats)]int64 // by the number of devices
}

// fitFormats are the formats in which catalogue models are tried.
var fitFormats = [...]string{"bf16", "q4_k_m"}

// fitContext is for how many tokens there has to be room.
const fitContext = 8192

// fitting says which catalogue models fit each device, with a sequence of
// fitContext tokens: how many, and the largest.
func (r *Reference) fitting(p *page, all *catalogue.Devices) error {
	counts := map[int64]bool{}
	for i := range all.List {
		counts[all.List[i].Spec().Count] = true
	}
	var models []fitted
	for i := range r.Catalogue.Models {
		m := &r.Catalogue.Models[i]
		f, err := r.needs(m, counts)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Slug, err)
		}
		models = append(models, f)
	}
	slices.SortStableFunc(models, func(a, b fitted) int { return int(max(min(b.size-a.size, 1), -1)) })
	p.list("device", "devices", "What fits, with one text of 8,192 tokens", "Device", "Memory#", "Models in bf16#", "The largest in bf16", "Models in Q4_K_M#", "The largest in Q4_K_M")
	for i := range all.List {
		d := all.List[i].Spec()
		p.raw(`<tr><th scope="row"><a href="/devices/`).text(d.Slug).raw(`/">`).text(d.Name).raw(`</a></th><td class="num">`, units.Bytes(d.Memory*d.Count).GB(), `</td>`)
		for f, format := range fitFormats {
			n := 0
			var largest *catalogue.Model
			for j := range models {
				if need := models[j].need[d.Count][f]; need > 0 && need <= d.Memory {
					if n++; largest == nil {
						largest = models[j].model
					}
				}
			}
			p.raw(`<td class="num">`, strconv.Itoa(n), `</td><td>`)
			if largest != nil {
				p.raw(`<a href="/?v=1&amp;model=`).text(largest.Slug).raw(`&amp;weights=`, format, `&amp;device=`).text(d.Slug).raw(`">`).text(largest.Name).raw(`</a>`)
			}
			p.raw(`</td>`)
		}
		p.raw("</tr>\n")
	}
	p.end()
	p.raw(`</div>`)
	return nil
}

// layers counts the layers of all stacks.
func layers(m *model.Model) int64 {
	n := 0
	for i := range m.Blocks {
		if m.Blocks[i].Index != "" {
			n += len(m.Blocks[i].Pattern)
		}
	}
	return int64(n)
}

// needs works out what a model takes on the fullest device of every number of
// them, laid out as somebody means who names no layout.
func (r *Reference) needs(m *catalogue.Model, counts map[int64]bool) (fitted, error) {
	out := fitted{model: m, need: map[int64][len(fitFormats)]int64{}}
	s, err := m.Subject()
	if err != nil {
		return out, err
	}
	described, fail := family.Describe(s.Config, r.Library)
	if fail != nil {
		return out, fail
	}
	bf16, _ := memory.FormatNamed("bf16")
	for f, name := range fitFormats {
		recipe, _ := quant.Named(name)
		weights, fail := quant.Weigh(described, &recipe, &s.Config)
		if fail != nil {
			return out, fail
		}
		out.size = max(out.size, weights.Elements)
		for n := range counts {
			layout := serve.Obvious(described, n)
			if layout.DP > 1 { // more devices than stages of a layer: replicas do not help to hold it
				layout.DP, layout.PP = 1, max(min(layers(described), n/layout.TP), 1)
			}
			ask := serve.Ask{Model: described, Weights: &weights, Layout: layout, Flash: true,
				Cache: memory.CacheQuestion{Context: fitContext, Encoder: fitContext, Batch: 1, Chunk: 512, Format: bf16, State: 16}}
			stages, fail := serve.Prepare(&ask).Stages()
			if fail != nil {
				continue
			}
			need := out.need[n]
			need[f] = serve.Fullest(stages).Total.High
			out.need[n] = need
		}
	}
	return out, nil
}
