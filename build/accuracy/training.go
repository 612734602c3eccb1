package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/report"
	"llmsize/core/train"
)

// trainRow is a measured peak and the band that the engine gives, in GiB.
type trainRow struct {
	oracle.Row
	low, high, measured float64
	beyond              float64 // what PyTorch's fully_shard and its allocator take beside it
	over                bool    // the source says that it did not fit into so much
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
	return x.measured >= x.low-slack && x.measured <= x.high+x.beyond+slack
}

// held is what a device holds in GiB: without the loss's logits, which programs
// that work the loss out in pieces never hold together, and with them.
func heldAt(a *report.Report, without string) (low, high float64) {
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
	rows, err := oracle.LoadTable(files, "training.txt")
	if err != nil {
		return nil, err
	}
	var out []trainRow
	for _, r := range rows {
		x := trainRow{Row: r}
		a, err := d.ask("v=1&model="+r["model"]+"&"+r["query"], "h100-sxm-80gb")
		if err != nil {
			return nil, err
		}
		x.low, x.high = heldAt(a, r["without"])
		for _, y := range a.Beyond() {
			if r["less"] == "" || !strings.HasPrefix(y.What, r["less"]) {
				x.beyond += y.Bytes / (1 << 30)
			}
		}
		if r["less"] == "down" {
			less, err := down(a)
			if err != nil {
				return nil, err
			}
			x.low, x.high = x.low-less, x.high-less
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

// down is what the layers' last products give in GiB, which recomputation operation by operation
// keeps: no gradient needs it, and a compiled layer is taken not to keep it.
func down(a *report.Report) (float64, error) {
	h, ok1 := a.Model.Value("hidden_size")
	n, ok2 := a.Model.Value("num_hidden_layers")
	if !ok1 || !ok2 {
		return 0, fmt.Errorf("training.txt: %s: no width or no layers", a.Subject.Name)
	}
	q := &a.Training.Question
	return 2 * float64(h*n) * float64(q.Saving.Seq*q.Saving.Micro/max(q.Layout.CP, 1)) / (1 << 30), nil
}

func trainTable(b *bytes.Buffer, d *desk) error {
	rows, err := trainRows(d)
	if err != nil {
		return err
	}
	b.WriteString(`
## Memory of training

The peak of one device, in GiB. The lower end is weights, gradients, states and activations with the loss worked out in pieces; the
upper end holds the gradients of all logits, and the layer that is made again. torchtitan's peaks are what PyTorch's allocator had
reserved. Beside the upper end stands what fully_shard and the allocator are documented to take, which is in no sum of the engine:
groups that are gathered whole, the buffer that they are gathered into, and 16-bit logits that leave a hole. A layer that is compiled is
taken not to keep what its last product gives; AsyncTP gathers no whole sequences. The runtime's own memory is not counted.

| source | model | run | query | not held | measured | low | high | fully_shard | |
|---|---|---|---|---|--:|--:|--:|--:|---|
`)
	inside := 0
	left := [2]float64{math.Inf(1), 0} // of the rows outside: the least and the most, as a part of what is measured
	all := make([]oracle.Row, len(rows))
	for i := range rows {
		x := &rows[i]
		all[i] = x.Row
		why, beyond := x.Row["why"], ""
		if x.beyond > 0 {
			beyond = fmt.Sprintf("%.1f", x.beyond)
		}
		if x.agrees() {
			inside++
		} else {
			off := max(x.measured-x.high-x.beyond, x.low-x.measured)
			why = fmt.Sprintf("%.1f outside: %s", off, why)
			if x.beyond > 0 {
				left[0], left[1] = min(left[0], off/x.measured), max(left[1], off/x.measured)
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %s | %s |\n", x.Row["source"], x.Row["model"], x.Row["run"], strings.ReplaceAll(x.Row["query"], "&", " "), x.Row["without"],
			x.Row["gib"], x.low, x.high, beyond, why)
	}
	sources, err := d.cited(all)
	if err != nil {
		return err
	}
	// What eight devices hold more than 128 is their share of weights, gradients and states: no activation is in the difference.
	eight, many := &rows[0], &rows[3]
	fmt.Fprintf(b, "\n%d of %d rows lie inside; of torchtitan's others %.0f to %.0f%% of the peak is left. The same run on 8 and on 128 devices differs by its sharded states alone: measured %.1f to %.1f, counted %.1f GiB.\nSources: %s\n",
		inside, len(rows), 100*left[0], 100*left[1], rows[1].measured-rows[4].measured, eight.measured-many.measured, eight.high-many.high, sources)
	return nil
}
