package accuracy

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/step"
	"llmsize/core/timeline"
)

// trainRow is a measured peak and what the engine gives of it, in GiB.
type trainRow struct {
	oracle.Row
	peak, likely, high, measured float64
	where                        string // the moment of the peak
	over                         bool   // the source says that it did not fit into so much
}

// agrees reports whether a row lies between the live tensors at the peak and the high end of what a device shows, to the
// source's rounding.
func (x *trainRow) agrees() bool {
	if x.over {
		return x.high > x.measured
	}
	slack := max(0.01*x.measured, 0.05)
	if !strings.Contains(x.Row["gib"], ".") {
		slack = 0.5
	}
	return x.measured >= x.peak-slack && x.measured <= x.high+slack
}

// trainRows answers every row of training.txt.
func trainRows(d *desk) ([]trainRow, error) {
	rows, err := oracle.LoadTable(files, "training.txt")
	if err != nil {
		return nil, err
	}
	const gib = 1 << 30
	var out []trainRow
	for _, r := range rows {
		x := trainRow{Row: r}
		a, err := d.ask("v=1&model="+r["model"]+"&"+r["query"], "h100-sxm-80gb")
		if err != nil {
			return nil, err
		}
		t, fail := timeline.Training(a, false)
		if fail != nil {
			return nil, fmt.Errorf("training.txt: %s %s: %w", r["model"], r["query"], fail)
		}
		rank, peak := t.Fullest()
		at := &t.At
		if len(t.Ranks) > 0 {
			at = &t.Ranks[rank].At
		}
		_, likely, high := timeline.Device(a, t)
		if t.InPlace > 0 {
			peak = t.InPlace
		}
		x.peak, x.likely, x.high, x.where = float64(peak)/gib, float64(likely)/gib, float64(high)/gib, moment(at)
		text, over := strings.CutPrefix(r["gib"], "more than ")
		x.over = over
		if x.measured, err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// moment says when a peak is: "backward, loss".
func moment(m *step.Moment) string {
	if m.Part == "" {
		return m.Phase.String()
	}
	return m.Phase.String() + ", " + m.Part
}

func trainTable(b *bytes.Buffer, d *desk) error {
	rows, err := trainRows(d)
	if err != nil {
		return err
	}
	b.WriteString(words("training"))
	inside := 0
	all := make([]oracle.Row, len(rows))
	for i := range rows {
		x := &rows[i]
		all[i] = x.Row
		why := x.Row["why"]
		if x.agrees() {
			inside++
		} else {
			why = fmt.Sprintf("%.1f outside: %s", max(x.measured-x.high, x.peak-x.measured), why)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.1f | %.1f | %.1f | %s | %s |\n", x.Row["source"], x.Row["model"], x.Row["run"], strings.ReplaceAll(x.Row["query"], "&", " "),
			x.Row["gib"], x.peak, x.likely, x.high, x.where, why)
	}
	sources, err := d.cited(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%d of %d rows lie inside.\nSources: %s\n", inside, len(rows), sources)
	return nil
}
