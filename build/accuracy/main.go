package accuracy

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"llmsize/build/oracle"
	"llmsize/core/report"
	"llmsize/core/serve"
)

//go:embed *.txt
var files embed.FS

// Accuracy sets what the engine answers beside what others have
// measured, and writes docs/accuracy.md: go run ./build accuracy.
//
// The rows are in the text files beside it, each with its source; sources.txt
// spells those that several tables name, configs.txt has the models that the
// catalogue lacks. A row that lies outside what the engine says is in the table
// with the reason.
func Accuracy(_ context.Context, _ []string) error {
	text, err := document(".")
	if err != nil {
		return err
	}
	name := filepath.Join("docs", "accuracy.md")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", name, len(text))
	return nil
}

// document writes the page.
func document(root string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(words("head"))
	d, err := newDesk()
	if err != nil {
		return nil, err
	}
	ask := d.ask
	if err := bufferTable(&b, os.DirFS(filepath.Join(root, "core", "memory", "testdata")), ask); err != nil {
		return nil, err
	}
	if err := memoryTable(&b, ask); err != nil {
		return nil, err
	}
	if err := logTable(&b, ask); err != nil {
		return nil, err
	}
	if err := decodeTable(&b, ask); err != nil {
		return nil, err
	}
	if err := predictedTable(&b, os.DirFS(filepath.Join(root, "build", "accuracy"))); err != nil {
		return nil, err
	}
	for _, table := range []func(*bytes.Buffer, *desk) error{queueTable, offloadTable, kernelTable, gpt3Table, runTable, hourTable, trainTable, statedTable, unansweredTable, repositoryTable, countTable} {
		if err := table(&b, d); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

type asker func(link, device string) (*report.Report, error)

// memoryRow is a measured peak and what the engine says of it, in GiB.
type memoryRow struct {
	oracle.Row
	low, plan, high, measured float64
	known, activations        float64 // weights and cache; the plan's activations
}

// memoryRows answers every row of memory.txt.
func memoryRows(ask asker) ([]memoryRow, error) {
	rows, err := oracle.LoadTable(files, "memory.txt")
	if err != nil {
		return nil, err
	}
	var out []memoryRow
	for _, r := range rows {
		link := fmt.Sprintf("v=1&model=%s&context=%s&prompt=%s&weights=%s&kv-policy=transformers&pp=%s", r["model"], r["context"], r["prompt"], r["weights"], r["devices"])
		a, err := ask(link, "a100-sxm4-80gb")
		if err != nil {
			return nil, err
		}
		x := memoryRow{Row: r}
		const gib = 1 << 30
		for i := range a.Running.Stages {
			for _, t := range a.Running.Stages[i].Terms {
				if t.What == "runtime" { // the measure is of what tensors take
					continue
				}
				x.low += float64(t.Low) / gib
				x.plan += float64(t.Bytes) / gib
				x.high += float64(t.High) / gib
				switch t.What {
				case "weights", "cache":
					x.known += float64(t.Bytes) / gib
				case "activations":
					x.activations += float64(t.Bytes) / gib
				}
			}
		}
		if x.measured, err = strconv.ParseFloat(r["gib"], 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func memoryTable(b *bytes.Buffer, ask asker) error {
	rows, err := memoryRows(ask)
	if err != nil {
		return err
	}
	b.WriteString(words("memory"))
	inside := 0
	for _, x := range rows {
		note := outside(&x)
		if note == "" {
			inside++
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |\n", x.Row["model"], x.Row["weights"], x.Row["devices"], x.Row["prompt"], x.measured, x.low, x.plan, x.high, note)
	}
	fmt.Fprintf(b, "\n%d of %d rows lie inside, within the source's rounding (0.02 GiB or 1%%). Source: %s.\n\n", inside, len(rows), rows[0].Row["source"])
	return nil
}

// outside is why a measured peak is not in the band; empty when it is.
func outside(x *memoryRow) string {
	slack := max(0.02, x.measured*0.01)
	switch {
	case x.measured > x.high+slack && x.Row["weights"] != "bf16":
		return fmt.Sprintf("%.2f above: kernels for 4-bit weights keep copies and workspaces", x.measured-x.high)
	case x.measured > x.high+slack:
		return fmt.Sprintf("%.2f above: blocks that the allocator keeps between steps", x.measured-x.high)
	case x.measured < x.low-slack:
		return fmt.Sprintf("%.2f below", x.low-x.measured)
	}
	return ""
}

// decodeRow is a measured rate and the bound, in tokens a second.
type decodeRow struct {
	oracle.Row
	bound, measured float64
}

func (x *decodeRow) efficiency() float64 { return x.measured / x.bound }

// decodeRows answers every row of decode.txt.
func decodeRows(ask asker) ([]decodeRow, error) {
	rows, err := oracle.LoadTable(files, "decode.txt")
	if err != nil {
		return nil, err
	}
	var out []decodeRow
	for _, r := range rows {
		a, err := ask(fmt.Sprintf("v=1&model=%s&context=%s&weights=%s&tp=%s", r["model"], r["context"], r["weights"], r["tp"]), r["device"])
		if err != nil {
			return nil, err
		}
		x := decodeRow{Row: r, bound: 1 / a.Running.Speed.Decode.Seconds}
		if x.measured, err = strconv.ParseFloat(r["tokens_per_second"], 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func decodeTable(b *bytes.Buffer, ask asker) error {
	rows, err := decodeRows(ask)
	if err != nil {
		return err
	}
	e := serve.DecodeEfficiency
	fmt.Fprintf(b, words("decoding"), 100*e.Low, 100*e.High)
	for i := range rows {
		x := &rows[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %.0f%% | %s |\n", x.Row["model"], x.Row["weights"], x.Row["device"], x.Row["tp"], x.Row["context"], x.Row["engine"], x.measured, x.bound, 100*x.efficiency(), slow(x))
	}
	b.WriteString("\nSources: ")
	seen := map[string]bool{}
	for _, x := range rows {
		if s := x.Row["source"]; !seen[s] {
			if len(seen) > 0 {
				b.WriteString("; ")
			}
			seen[s] = true
			b.WriteString(s)
		}
	}
	b.WriteString(".\n")
	if err := prefillTable(b, ask); err != nil {
		return err
	}
	return servingTable(b, ask)
}

// slow is why a run lies outside the band.
func slow(x *decodeRow) string {
	e, tp := x.efficiency(), x.Row["tp"]
	switch {
	case e > 1:
		return "faster than the bound"
	case e > serve.DecodeEfficiency.High:
		return "above the band"
	case e >= serve.DecodeEfficiency.Low:
		return ""
	case x.Row["engine"][:4] == "tran":
		return "a launch for every operation: time does not fall with the model"
	case len(x.Row["context"]) > 5:
		return "reads a long cache; the source does not say why it is slow"
	case tp != "1":
		return "small shares: the all-reduces' latency, which the bound leaves out"
	case x.Row["weights"] != "bf16":
		return "4-bit weights are unpacked before they are multiplied"
	}
	return "a small model: launches take longer than reading it"
}
