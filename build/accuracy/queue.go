package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/predict"
)

// queued is more users than any of the servers of queue.txt has room for.
const queued = 1 << 20

// queueRow is a measured rate with a full queue, and what is predicted, in tokens a second over all devices.
type queueRow struct {
	oracle.Row
	measured  float64
	most      float64 // by the bound
	predicted *predict.Range
}

// queueRows answers every row of queue.txt.
func queueRows(d *desk) ([]queueRow, error) {
	rows, err := oracle.LoadTable(files, "queue.txt")
	if err != nil {
		return nil, err
	}
	engines, err := catalogue.AllEngines()
	if err != nil {
		return nil, err
	}
	var out []queueRow
	for _, r := range rows {
		in, written, err := both(r, "prompt", "output")
		if err != nil {
			return nil, err
		}
		link := fmt.Sprintf("v=1&model=%s&context=%.0f&prompt=%.0f&output=%.0f&weights=%s&kv=fp8&engine=tensorrt-llm&users=%d&tp=%s&pp=%s", r["model"], in+written, in, written, r["weights"], queued, r["tp"], r["pp"])
		a, err := d.ask(link, r["device"])
		if err != nil {
			return nil, err
		}
		x := queueRow{Row: r}
		if w, ok := predict.Of(a); ok {
			var bound predict.Bound
			bound.Rate, _ = predict.Ceiling(a.Running.Device, "tensorrt-llm", r["weights"])
			x.most = written / bound.Request(&w, in, written, w.Scores(int64(in), 0))
		}
		if p, _ := predict.Run(a, engines); p.Load != nil {
			x.predicted = p.Load.Output
		}
		if x.measured, err = strconv.ParseFloat(r["tokens_per_second"], 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// queueTable sets what is predicted for a full queue beside runs, a line for each model and layout.
func queueTable(b *bytes.Buffer, d *desk) error {
	rows, err := queueRows(d)
	if err != nil {
		return err
	}
	b.WriteString(words("queue"))
	var off, group []float64
	none := 0
	for i := range rows {
		x := &rows[i]
		if x.predicted == nil {
			none++
		} else {
			ratio := math.Log(x.predicted.Likely / x.measured)
			off, group = append(off, math.Expm1(math.Abs(ratio))), append(group, ratio)
		}
		same := func(y *queueRow) bool {
			for _, key := range []string{"model", "weights", "device", "tp", "pp"} {
				if x.Row[key] != y.Row[key] {
					return false
				}
			}
			return true
		}
		if len(group) > 0 && (i+1 == len(rows) || !same(&rows[i+1])) {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %d | %.2f | %.2f | %.2f |\n", x.Row["model"], x.Row["weights"], x.Row["device"], x.Row["tp"], x.Row["pp"], len(group), math.Exp(quantile(group, 0)), math.Exp(median(group)), math.Exp(quantile(group, 1)))
			group = nil
		}
	}
	fmt.Fprintf(b, "\nThe median error of %d runs is %.0f%%; eight of ten lie within %.0f%%.", len(off), 100*median(off), 100*quantile(off, 0.8))
	if none > 0 {
		fmt.Fprintf(b, " Of %d more nothing is predicted.", none)
	}
	fmt.Fprintf(b, " Models with experts ran with attention copied over the devices, which no question asks: they are asked as tensor ranks, which exchange more, so their middles are low. Stages are taken to work on different users at a time, with nothing lost between them: of eight, something is. Source: %s.\n", rows[0].Row["source"])
	return nil
}
