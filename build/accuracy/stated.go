package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/report"
	"llmsize/core/units"
)

// stated is what somebody says of a model and our count of the same thing.
type stated struct {
	oracle.Row
	says, counted float64
}

// agrees reports whether ours rounds to what is stated: to a percent, or to the
// last digit.
func (x *stated) agrees() bool {
	return math.Abs(x.counted/x.says-1) <= max(0.01, lastDigit(x.Row["stated"]))
}

// figure is one of a report's counts.
func figure(r *report.Report, name string) (float64, error) {
	p := &r.Parameters
	tables := p.Active - p.ActiveWithoutEmbeddingAndHead
	n := units.Params(0)
	switch name {
	case "total":
		n = p.Total
	case "active":
		n = p.Active
	case "without-embedding":
		n = p.ActiveWithoutEmbedding
	case "without-tables":
		n = p.ActiveWithoutEmbeddingAndHead
	case "total-without-tables":
		n = p.Total - tables
	case "weights-gib":
		return float64(r.Weights.Bytes) / (1 << 30), nil
	case "cache-gib":
		return float64(r.Cache.Bytes) / (1 << 30), nil
	case "cache-mib":
		return float64(r.Cache.Bytes) / (1 << 20), nil
	case "buffer-mib":
		for _, t := range r.Running.Terms {
			if t.What == "compute buffer" {
				return float64(t.Bytes) / (1 << 20), nil
			}
		}
		return 0, fmt.Errorf("stated.txt: no compute buffer")
	default:
		return 0, fmt.Errorf("stated.txt: no count %q", name)
	}
	return float64(n), nil
}

func statedRows(d *desk) ([]stated, error) {
	rows, err := oracle.LoadTable(files, "stated.txt")
	if err != nil {
		return nil, err
	}
	var out []stated
	for _, r := range rows {
		x := stated{Row: r}
		if x.says, err = value(r["stated"]); err != nil {
			return nil, fmt.Errorf("stated.txt: %s: %w", r["stated"], err)
		}
		link := "v=1&model=" + r["model"]
		if r["query"] != "" {
			link += "&" + r["query"]
		}
		a, err := d.ask(link, "h100-sxm-80gb")
		if err != nil {
			return nil, err
		}
		if x.counted, err = figure(a, r["count"]); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func statedTable(b *bytes.Buffer, d *desk) error {
	rows, err := statedRows(d)
	if err != nil {
		return err
	}
	b.WriteString(words("stated"))
	agree := 0
	all := make([]oracle.Row, len(rows))
	for i := range rows {
		x := &rows[i]
		all[i] = x.Row
		if x.agrees() {
			agree++
		}
		word := func(n float64) string {
			switch _, unit, _ := strings.Cut(x.Row["count"], "-"); unit {
			case "gib":
				return fmt.Sprintf("%.2f GiB", n)
			case "mib":
				return fmt.Sprintf("%.2f MiB", n)
			}
			return fmt.Sprintf("%.2f B", n/1e9)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %+.2f%% | %s |\n", x.Row["source"], x.Row["model"], x.Row["says"], word(x.says), x.Row["count"], word(x.counted), 100*(x.counted/x.says-1), x.Row["why"])
	}
	sources, err := d.cited(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%d of %d agree within 1%% or the last stated digit. Sources: %s\n", agree, len(rows), sources)
	return nil
}
