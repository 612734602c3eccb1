package accuracy

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"strconv"

	"llmsize/build/oracle"
)

// bufferTable sets the planned compute buffers beside those that llama.cpp
// reserves, with the largest difference for each model.
func bufferTable(b *bytes.Buffer, testdata fs.FS, ask asker) error {
	b.WriteString(words("buffers"))
	type worst struct {
		model     string
		rows      int
		want, got float64
		off       float64
	}
	var models []*worst
	for _, file := range []string{"llamacpp.txt", "llamacpp_buffers.txt"} {
		rows, err := oracle.LoadTable(testdata, file)
		if err != nil {
			return err
		}
		for _, r := range rows {
			total, err1 := strconv.ParseInt(r["n_ctx"], 10, 64)
			n, err2 := strconv.ParseInt(r["n_seq_max"], 10, 64)
			want, err3 := strconv.ParseFloat(r["compute_mib"], 64)
			if err1 != nil || err2 != nil || err3 != nil {
				return fmt.Errorf("%s: %v", file, r)
			}
			kv := r["type_k"]
			if kv == "f16" {
				kv = "fp16"
			}
			a, err := ask(fmt.Sprintf("v=1&model=%s&context=%d&batch=%d&chunk=%s&kv=%s&kv-policy=llama.cpp&flash=%s", r["model"], total/n, n, r["n_ubatch"], kv, r["flash"]), "h100-sxm-80gb")
			if err != nil {
				return err
			}
			got := 0.0
			for _, t := range a.Running.Terms {
				if t.What == "compute buffer" {
					got = float64(t.Bytes) / (1 << 20)
				}
			}
			if len(models) == 0 || models[len(models)-1].model != r["model"] {
				models = append(models, &worst{model: r["model"]})
			}
			m := models[len(models)-1]
			m.rows++
			if off := got/want - 1; math.Abs(off) >= math.Abs(m.off) {
				m.want, m.got, m.off = want, got, off
			}
		}
	}
	all, close := 0, 0
	for _, m := range models {
		all += m.rows
		if math.Abs(m.got-m.want) <= 0.1 {
			close++
		}
		fmt.Fprintf(b, "| %s | %d | %.2f | %.2f | %+.2f%% |\n", m.model, m.rows, m.want, m.got, 100*m.off)
	}
	fmt.Fprintf(b, "\n%d buffers of %d models; in %d models none is off by more than 0.1 MiB. The other models' graphs run\nin an order that the plan doesn't follow: core/memory's test names each.\n\n", all, len(models), close)
	return nil
}
