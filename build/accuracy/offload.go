package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/content/catalogue"
	"llmsize/core/predict"
)

// offloadRow is a measured rate with a part of the model on the host, and what is said of it, in tokens a second.
type offloadRow struct {
	oracle.Row
	measured, likely, bound float64
	fits                    string // whether the device's side has room
}

// offloadRows answers every row of offload.txt.
func offloadRows(d *desk) ([]offloadRow, error) {
	rows, err := oracle.LoadTable(files, "offload.txt")
	if err != nil {
		return nil, err
	}
	engines, err := catalogue.AllEngines()
	if err != nil {
		return nil, err
	}
	var out []offloadRow
	for _, r := range rows {
		link := fmt.Sprintf("v=1&model=%s&context=%s&weights=%s&kv=%s&kv-policy=llama.cpp&engine=llama.cpp&host-bandwidth=%s", r["model"], r["context"], r["weights"], r["kv"], r["host_bandwidth"])
		for _, key := range []string{"ngl", "ncmoe"} {
			if r[key] != "" {
				link += "&" + key + "=" + r[key]
			}
		}
		a, err := d.ask(link, r["device"])
		if err != nil {
			return nil, err
		}
		p, ok := predict.Run(a, engines)
		if !ok || p.Offloaded == nil {
			return nil, fmt.Errorf("offload.txt: nothing is said of %s: %v", link, p.Missing)
		}
		x := offloadRow{Row: r, likely: p.Offloaded.Likely, bound: p.Offloaded.Bound, fits: p.Offloaded.Fits}
		if x.measured, err = strconv.ParseFloat(r["tokens_per_second"], 64); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// offloadTable sets what is said of layers on the host beside runs.
func offloadTable(b *bytes.Buffer, d *desk) error {
	rows, err := offloadRows(d)
	if err != nil {
		return err
	}
	b.WriteString(words("offload"))
	var off []float64
	var sources []string
	for i := range rows {
		x := &rows[i]
		gb, err := strconv.ParseFloat(x.Row["host_bandwidth"], 64)
		if err != nil {
			return err
		}
		e := x.likely/x.measured - 1
		off = append(off, math.Expm1(math.Abs(math.Log(x.likely/x.measured))))
		if s := x.Row["source"] + ", " + x.Row["date"]; len(sources) == 0 || sources[len(sources)-1] != s {
			sources = append(sources, s)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.1f | %s | %s | %s | %s | %.2f | %+.0f%% | %.2f |\n", x.Row["model"], x.Row["weights"], x.Row["device"], x.Row["host"], gb/1e9, x.Row["ngl"], x.Row["ncmoe"], x.Row["what"],
			x.Row["tokens_per_second"], x.likely, 100*e, x.bound)
	}
	fmt.Fprintf(b, "\nThe median error of %d runs is %.1f%%. They are of three machines, so no band is shown. Sources: %s.\n", len(rows), 100*median(off), strings.Join(sources, "; "))
	return nil
}
