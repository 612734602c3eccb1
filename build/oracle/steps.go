package oracle

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// stepRecord is what the oracle recorded of a step: PyTorch's own code on tensors that hold nothing.
type stepRecord struct {
	ID, Model string
	Config    json.RawMessage
	Run       struct {
		Recipe    string
		Batch     int64
		Seq       int64
		Context   int64
		Ckpt      bool
		Optimizer string
		Keep      bool `json:"keep_outputs"`
		Attn      string
		Logits    string
		World     int64
		Reshard   bool
		Mixed     bool
		Param     string `json:"param_dtype"`
		Sequence  bool   `json:"sequence_parallel"`
		Lora      *struct {
			R       int64
			Targets any
			Dropout float64
			FP32    *bool `json:"fp32_adapters"`
		}
	}
	Bytes map[string]any
}

// number is a figure of the record, of the second step where it has one.
func (r *stepRecord) number(name string) int64 {
	if s, ok := r.Bytes["second_step"].(map[string]any); ok {
		if x, ok := s[name].(float64); ok {
			return int64(x)
		}
	}
	x, _ := r.Bytes[name].(float64)
	return int64(x)
}

// words are the options of a run that are not every run's.
func (r *stepRecord) words() string {
	var w []string
	add := func(on bool, word string) {
		if on {
			w = append(w, word)
		}
	}
	run := &r.Run
	add(run.Ckpt, "checkpoint")
	add(run.Keep, "kept")
	add(run.Attn == "eager", "eager")
	add(strings.Contains(r.ID, "/no-dropout"), "no-dropout")
	add(run.Logits == "all", "logits")
	if l := run.Lora; l != nil {
		targets := "q,v"
		if s, ok := l.Targets.(string); ok {
			targets = s
		}
		w = append(w, fmt.Sprintf("lora=%d:%s", l.R, targets))
		add(l.FP32 != nil && !*l.FP32, "adapters16")
		add(l.Dropout > 0, "lora-dropout")
	}
	switch {
	case strings.HasPrefix(r.ID, "C/"):
		w = append(w, fmt.Sprintf("fsdp=%d", run.World))
		add(run.Mixed, "mixed")
		add(!run.Reshard, "keep")
	case strings.HasPrefix(r.ID, "D/"):
		w = append(w, fmt.Sprintf("tp=%d", run.World))
		add(run.Sequence, "sequence")
	}
	if len(w) == 0 {
		return "-"
	}
	return strings.Join(w, " ")
}

// stepFigures are the columns of a training step, and of inference.
var stepFigures = []string{"model", "inputs", "after_forward", "peak_forward", "peak_backward", "peak_optimizer", "steady", "peak"}
var serveFigures = []string{"model", "inputs", "peak_prefill", "after_prefill", "peak_decode"}

// writeSteps writes what PyTorch holds in the moments of a step: a line a run, and the configs beside them.
func writeSteps(oracle, dir string) error {
	if _, err := os.Stat(filepath.Join(oracle, "steps")); err != nil {
		return nil
	}
	configs := map[string]string{}
	for _, f := range []struct {
		in      []string
		out     string
		columns []string
	}{
		{[]string{"train_step.jsonl.gz", "fsdp.jsonl.gz"}, "train.txt", stepFigures},
		{[]string{"infer_peak.jsonl.gz"}, "serve.txt", serveFigures},
	} {
		var lines []string
		for _, in := range f.in {
			records, err := readSteps(filepath.Join(oracle, "steps", in))
			if err != nil {
				return err
			}
			for i := range records {
				r := &records[i]
				if configs[r.Model] == "" || !strings.Contains(r.ID, "/no-dropout") { // a run without dropout says so itself
					configs[r.Model] = string(r.Config)
				}
				recipe := r.Run.Recipe
				if r.Run.Param != "" {
					recipe = r.Run.Param
				}
				if recipe == "" {
					recipe = "bf16"
				}
				optimizer := r.Run.Optimizer
				if optimizer == "" {
					optimizer = "-"
				}
				cells := []string{strings.SplitN(r.ID, "/", 2)[0], r.Model, recipe, fmt.Sprint(r.Run.Batch), fmt.Sprint(max(r.Run.Seq, r.Run.Context)), optimizer, r.words()}
				for _, c := range f.columns {
					cells = append(cells, fmt.Sprint(r.number(c)))
				}
				lines = append(lines, strings.Join(cells, "\t"))
			}
		}
		sort.Strings(lines)
		head := "# bytes of live tensors in the moments of a step, as transformers 5.23.0 and torch 2.15.0 lay them out\n" +
			"kind\tmodel\trecipe\tbatch\tseq\toptimizer\toptions\t" + strings.Join(f.columns, "\t") + "\n"
		if err := os.WriteFile(filepath.Join(dir, f.out), []byte(head+strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	var names []string
	for n := range configs {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString("# the configs of train.txt and serve.txt\nmodel\tconfig\n")
	for _, n := range names {
		fmt.Fprintf(&b, "%s\t%s\n", n, strings.ReplaceAll(configs[n], ", ", ","))
	}
	return os.WriteFile(filepath.Join(dir, "configs.txt"), []byte(b.String()), 0o644)
}

func readSteps(name string) (out []stepRecord, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	for lines.Scan() {
		var r stepRecord
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, r)
	}
	return out, lines.Err()
}
