package content_test

import (
	"path"
	"strings"
	"testing"
	"time"
)

type deviceFile struct {
	Name      string                  `json:"name"`
	Slug      string                  `json:"slug"`
	Maker     string                  `json:"maker"`
	Kind      string                  `json:"kind"`
	Memory    *figure                 `json:"memory"`
	Bandwidth *figure                 `json:"bandwidth"`
	Peak      map[string]figure       `json:"peak"`
	Of        *parts                  `json:"of"`
	Link      *figure                 `json:"link"`
	Power     *figure                 `json:"power"`
	Sources   map[string]deviceSource `json:"sources"`
	Note      string                  `json:"note"`
}

type figure struct {
	Bytes          int64    `json:"bytes"`
	What           string   `json:"what"`
	Name           string   `json:"name"`
	BytesPerSecond int64    `json:"bytes_per_second"`
	PerSecond      int64    `json:"per_second"`
	Watts          int64    `json:"watts"`
	From           []string `json:"from"`
}

type parts struct {
	Device string   `json:"device"`
	Count  int64    `json:"count"`
	From   []string `json:"from"`
}

type deviceSource struct {
	Grade string `json:"grade"`
	Title string `json:"title"`
	Date  string `json:"date"`
}

// TestDevices holds every file against the schema: no figure without a source,
// no figure that only one table states, no sparse peak.
func TestDevices(t *testing.T) {
	files := names(t, "devices/*")
	if len(files) < 80 {
		t.Errorf("%d devices", len(files))
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(path.Base(name), ".json"), func(t *testing.T) {
			var d deviceFile
			read(t, name, &d)
			if path.Base(name) != d.Slug+".json" || !slugForm.MatchString(d.Slug) || d.Name == "" || d.Maker == "" {
				t.Errorf("slug %q, name %q, maker %q", d.Slug, d.Name, d.Maker)
			}
			used := map[string]bool{}
			check := func(what string, from []string, alone bool) {
				t.Helper()
				if len(from) == 0 {
					t.Errorf("%s has no source", what)
				}
				tables := 0
				for _, s := range from {
					used[s] = true
					g := d.Sources[s].Grade
					if g == "table" {
						tables++
					}
				}
				if tables == len(from) && tables < 2 && !alone {
					t.Errorf("%s is from one table only", what)
				}
			}
			if d.Kind == "system" {
				if d.Of == nil || d.Of.Count < 2 || d.Memory != nil {
					t.Errorf("of is %+v", d.Of)
				} else {
					check("of", d.Of.From, false)
				}
			} else {
				if d.Of != nil || d.Memory == nil || d.Bandwidth == nil {
					t.Fatalf("memory %v and bandwidth %v must be there", d.Memory, d.Bandwidth)
				}
				// The label is the product's name: one table is enough for it.
				check("memory", d.Memory.From, d.Memory.What == "label")
				check("bandwidth", d.Bandwidth.From, false)
				if d.Memory.Bytes < 1e9 || d.Bandwidth.BytesPerSecond < 1e9 {
					t.Errorf("memory %d bytes, bandwidth %d", d.Memory.Bytes, d.Bandwidth.BytesPerSecond)
				}
				switch d.Memory.What {
				case "reported":
					if d.Memory.Bytes%(1<<20) != 0 {
						t.Errorf("reported memory of %d bytes is no whole MiB", d.Memory.Bytes)
					}
				case "label":
					if d.Memory.Bytes%1e9 != 0 {
						t.Errorf("a label of %d bytes", d.Memory.Bytes)
					}
				case "label in GiB":
					if d.Memory.Bytes%(1<<30) != 0 {
						t.Errorf("a label of %d bytes", d.Memory.Bytes)
					}
				default:
					t.Errorf("memory is %q", d.Memory.What)
				}
			}
			for f, p := range d.Peak {
				check("peak."+f, p.From, false)
				if !strings.Contains(" fp32 tf32 bf16 fp16 fp8 int8 fp4 fp16-fp16 ", " "+f+" ") || p.PerSecond < 1e12 && d.Kind != "cpu" || p.PerSecond < 1e11 {
					t.Errorf("peak %s is %d", f, p.PerSecond)
				}
			}
			// Sparse rates are twice the dense ones: a mix of the two would show here.
			if b, f := d.Peak["bf16"].PerSecond, d.Peak["fp8"].PerSecond; b > 0 && f > 0 && d.Maker == "NVIDIA" && (f < b*199/100 || f > b*203/100) {
				t.Errorf("fp8 %d is not twice bf16 %d", f, b)
			}
			if b, f := d.Peak["fp32"].PerSecond, d.Peak["bf16"].PerSecond; b > 0 && f > 0 && strings.HasPrefix(d.Name, "NVIDIA GeForce") && (f < b*19/10 || f > b*21/10) {
				t.Errorf("bf16 %d is not twice fp32 %d: fp16 accumulate?", f, b)
			}
			// Consumer cards of these generations multiply fp16 with fp16 sums at twice, int8 at four times the rate with fp32 sums.
			if half, whole := d.Peak["fp16-fp16"].PerSecond, d.Peak["fp16"].PerSecond; half > 0 && (half != 2*whole || d.Peak["int8"].PerSecond != 2*half) {
				t.Errorf("fp16 with fp16 sums at %d, with fp32 sums at %d, int8 at %d", half, whole, d.Peak["int8"].PerSecond)
			}
			if d.Link != nil {
				check("link", d.Link.From, false)
				if d.Link.Name == "" || d.Link.BytesPerSecond < 1e9 {
					t.Errorf("link is %+v", d.Link)
				}
			}
			if d.Power != nil {
				check("power", d.Power.From, false)
				if d.Power.Watts < 10 || d.Power.Watts > 5000 {
					t.Errorf("power is %+v", d.Power)
				}
			}
			for key, s := range d.Sources {
				if !used[key] {
					t.Errorf("no figure is from %s", key)
				}
				if !strings.Contains(" maker device quotes table ", " "+s.Grade+" ") || s.Title == "" {
					t.Errorf("source %s is %+v", key, s)
				}
				if _, err := time.Parse("2006-01-02", s.Date); err != nil {
					if _, err := time.Parse("2006-01", s.Date); err != nil {
						t.Errorf("source %s: date %q", key, s.Date)
					}
				}
			}
			for key := range used {
				if _, ok := d.Sources[key]; !ok {
					t.Errorf("there is no source %s", key)
				}
			}
		})
	}
}
