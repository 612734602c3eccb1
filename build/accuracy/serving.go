package accuracy

import (
	"bytes"
	"fmt"
	"strconv"

	"llmsize/build/oracle"
	"llmsize/core/compute"
	"llmsize/core/memory"
	"llmsize/core/serve"
)

// prefillTable sets what the engine says of a prompt beside rates that others
// print.
func prefillTable(b *bytes.Buffer, ask asker) error {
	rows, err := oracle.LoadTable(files, "prefill.txt")
	if err != nil {
		return err
	}
	e := serve.PrefillEfficiency
	fmt.Fprintf(b, words("prefill"), 100*e.Low, 100*e.High)
	for _, r := range rows {
		a, err := ask(fmt.Sprintf("v=1&model=%s&context=%s&prompt=%s&weights=%s&kv-policy=llama.cpp&kv=fp16", r["model"], r["prompt"], r["prompt"], r["weights"]), r["device"])
		if err != nil {
			return err
		}
		prompt, measured, err := both(r, "prompt", "tokens_per_second")
		if err != nil {
			return err
		}
		bound := prompt / a.Running.Speed.Prefill.Seconds
		why := ""
		if part := measured / bound; part < e.Low {
			why = "4-bit weights are unpacked before they are multiplied, by shaders that are not the maker's"
		} else if part > 1 {
			why = "faster than the bound"
		} else if part > e.High {
			why = "above the band"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.0f | %.0f | %.0f%% | %s |\n", r["model"], r["weights"], r["device"], r["prompt"], r["engine"], measured, bound, 100*measured/bound, why)
	}
	fmt.Fprintf(b, "\nSource: %s.\n", rows[0]["source"])
	return nil
}

// both reads two numbers of a row.
func both(r oracle.Row, first, second string) (x, y float64, err error) {
	if x, err = strconv.ParseFloat(r[first], 64); err != nil {
		return
	}
	y, err = strconv.ParseFloat(r[second], 64)
	return
}

// servingRow is a rate under load and the bound.
type servingRow struct {
	oracle.Row
	bound, measured float64
}

// servingRows answers every row of serving.txt.
//
// With a queue that never runs dry weights are read for many tokens at once, so
// products bind: a request of i tokens in and o out multiplies what a pass over
// i + o tokens does, the head for the o only, and a GPU writes no more than
//
//	peak · o / FLOPs(i + o)
//
// tokens a second.
func servingRows(ask asker) ([]servingRow, error) {
	rows, err := oracle.LoadTable(files, "serving.txt")
	if err != nil {
		return nil, err
	}
	var out []servingRow
	for _, r := range rows {
		in, output, err := both(r, "input", "output")
		if err != nil {
			return nil, err
		}
		a, err := ask(fmt.Sprintf("v=1&model=%s&context=%.0f&weights=%s", r["model"], in+output, map[string]string{"fp4": "nvfp4", "fp8": "fp8"}[r["format"]]), r["device"])
		if err != nil {
			return nil, err
		}
		_, flops := compute.Forward(a.Model, compute.Pass{Tokens: int64(in + output), Batch: 1})
		vocab, hidden := memory.HeadSize(a.Model)
		flops -= 2 * float64(vocab) * float64(hidden) * in
		x := servingRow{Row: r, bound: float64(a.Running.Speed.Peak) * output / flops}
		if x.measured, err = strconv.ParseFloat(r["tokens_per_second"], 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func servingTable(b *bytes.Buffer, ask asker) error {
	rows, err := servingRows(ask)
	if err != nil {
		return err
	}
	b.WriteString(words("serving"))
	low, high := 1.0, 0.0
	for _, x := range rows {
		part := x.measured / x.bound
		low, high = min(low, part), max(high, part)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %.0f | %.0f | %.0f%% |\n", x.Row["model"], x.Row["format"], x.Row["device"], x.Row["devices"], x.Row["layout"], x.Row["input"], x.Row["output"], x.measured, x.bound, 100*part)
	}
	fmt.Fprintf(b, "\n%d runs reach %.0f to %.0f%%. Source: %s.\n", len(rows), 100*low, 100*high, rows[0].Row["source"])
	return nil
}
