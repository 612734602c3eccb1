package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"llmsize/build/fixtures/fixture"
	"llmsize/core/report"
	"llmsize/core/train"
)

// trainRow is a measured peak and the band that the engine gives, in GiB.
type trainRow struct {
	fixture.Row
	low, high, measured float64
	over                bool // the source says that it did not fit into so much
}

// agrees reports whether a row lies inside the band, to the source's rounding.
func (x *trainRow) agrees() bool {
	if x.over {
		return x.high > x.measured
	}
	slack := max(0.01*x.measured, 0.05)
	if !strings.Contains(x.Row["gib"], ".") {
		slack = 0.5
	}
	return x.measured >= x.low-slack && x.measured <= x.high+slack
}

// held is what a device holds in GiB: without the loss's logits, which programs
// that work the loss out in pieces never hold together, and with them.
func held(a *report.Report, without string) (low, high float64) {
	m := a.Training.Memory
	loss := float64(0)
	for i := range m.Saved {
		if s := &m.Saved[i]; !s.Again && s.What == "logits and loss" {
			loss += s.Bytes
		}
	}
	for p := train.Part(0); p < train.NumParts; p++ {
		n := float64(m.Parts[p])
		if n == 0 || strings.Contains(without, p.String()) {
			continue
		}
		high += n
		switch p {
		case train.Working:
		case train.Activations:
			low += n - loss
		default:
			low += n
		}
	}
	return low / (1 << 30), high / (1 << 30)
}

// trainRows answers every row of training.txt.
func trainRows(d *desk) ([]trainRow, error) {
	rows, err := fixture.LoadTable(files, "training.txt")
	if err != nil {
		return nil, err
	}
	var out []trainRow
	for _, r := range rows {
		x := trainRow{Row: r}
		link := "v=1&model=" + r["model"] + "&" + r["query"]
		ends := []string{link}
		if r["between"] != "" {
			ends = []string{link + "&recompute=full", link}
		}
		for i, end := range ends {
			a, err := d.ask(end, "h100-sxm-80gb")
			if err != nil {
				return nil, err
			}
			low, high := held(a, r["without"])
			if i == 0 {
				x.low = low
			}
			x.high = high
		}
		text, over := strings.CutPrefix(r["gib"], "more than ")
		x.over = over
		if x.measured, err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func trainTable(b *bytes.Buffer, d *desk) error {
	rows, err := trainRows(d)
	if err != nil {
		return err
	}
	b.WriteString(`
## Memory of training

The peak of one device, in GiB. The lower end is weights, gradients, states and activations with the loss worked out in pieces; the
upper end holds all logits with their gradients, and the layer that is made again. torchtitan's selective checkpoints choose operation
by operation, which is no recomputation of the engine's: there the band goes from full to none. The runtime's own memory is not
counted.

| source | model | run | query | not held | measured | low | high | |
|---|---|---|---|---|--:|--:|--:|---|
`)
	inside, between := 0, 0
	all := make([]fixture.Row, len(rows))
	for i := range rows {
		x := &rows[i]
		all[i] = x.Row
		why := x.Row["why"]
		switch {
		case x.Row["between"] != "":
			between++
			why = "between full recomputation and none"
		case x.agrees():
			inside++
		default:
			why = fmt.Sprintf("%.1f outside: %s", max(x.measured-x.high, x.low-x.measured), why)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %s |\n", x.Row["source"], x.Row["model"], x.Row["run"], strings.ReplaceAll(x.Row["query"], "&", " "), x.Row["without"],
			x.Row["gib"], x.low, x.high, why)
	}
	sources, err := d.cited(all)
	if err != nil {
		return err
	}
	// What eight devices hold more than 128 is their share of weights, gradients and states: no activation is in the difference.
	eight, many := &rows[0], &rows[3]
	fmt.Fprintf(b, "\n%d of %d rows lie inside; %d more say little, because the engine has no such recomputation. The same run on 8 and on 128 devices differs by its sharded states alone: measured %.1f to %.1f, counted %.1f GiB.\nSources: %s\n",
		inside, len(rows)-between, between, rows[1].measured-rows[4].measured, eight.measured-many.measured, eight.high-many.high, sources)
	return nil
}
