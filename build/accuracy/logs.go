package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"llmsize/build/oracle"
)

// logRow is a line of an engine's log and what is counted, in GiB.
type logRow struct {
	oracle.Row
	printed, counted float64
}

// logRows answers every row of logs.txt: the weights of a device, or the cache of
// as many tokens as the log says, on one of the devices that share it.
func logRows(ask asker) ([]logRow, error) {
	rows, err := oracle.LoadTable(files, "logs.txt")
	if err != nil {
		return nil, err
	}
	const gib = 1 << 30
	var out []logRow
	for _, r := range rows {
		tokens, printed, err := both(r, "tokens", "gib")
		if err != nil {
			return nil, err
		}
		link := fmt.Sprintf("v=1&model=%s&weights=%s&tp=%s&context=%.0f&prompt=1&kv-policy=paged", r["model"], r["weights"], r["tp"], math.Max(tokens, 1))
		a, err := ask(link, "h100-sxm-80gb")
		if err != nil {
			return nil, err
		}
		x := logRow{Row: r, printed: printed}
		for _, t := range a.Running.Fullest.Terms {
			if t.What == r["what"] {
				x.counted = float64(t.Bytes) / gib
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// logTable sets what an engine prints when it starts beside what is counted.
func logTable(b *bytes.Buffer, ask asker) error {
	rows, err := logRows(ask)
	if err != nil {
		return err
	}
	b.WriteString(words("logs"))
	for _, x := range rows {
		tokens := ""
		if n, _ := strconv.Atoi(x.Row["tokens"]); n > 0 {
			tokens = x.Row["tokens"]
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.2f | %.2f | %+.1f%% | %s |\n", x.Row["model"], x.Row["weights"], x.Row["tp"], x.Row["what"], tokens, x.printed, x.counted, 100*(x.counted/x.printed-1), x.Row["source"])
	}
	b.WriteString("\n")
	return nil
}
