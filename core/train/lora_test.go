package train_test

import (
	"os"
	"sort"
	"strings"
	"testing"

	"llmsize/build/oracle"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
	"llmsize/core/train"
	"llmsize/core/units"
)

// describe resolves a config's text.
func describe(t testing.TB, text string) *model.Model {
	t.Helper()
	cfg, err := config.ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := family.Describe(cfg, families.Library())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lines writes adapters as the oracle does: one line a matrix, layers as ranges.
func lines(list []train.Adapter) []string {
	var out []string
	for _, a := range list {
		name := a.Module
		if a.Block.Index != "" {
			name = strings.Replace(name, "{"+a.Block.Index+"}", model.SpanText(a.Block.Spans(a.Kind)), 1)
		}
		for _, x := range a.Base.Each {
			name = strings.Replace(name, "{"+x.Name+"}", model.SpanText([]model.Span{{From: 0, To: x.N - 1}}), 1)
		}
		out = append(out, name+".lora_A.weight\t"+units.Itoa(a.Rank)+"x"+units.Itoa(a.In), name+".lora_B.weight\t"+units.Itoa(a.Out)+"x"+units.Itoa(a.Rank))
	}
	return merge(out)
}

// merge joins lines that differ in their layers only, which are apart when the
// layers are of several kinds, and sorts them.
func merge(in []string) []string {
	layers := map[string][]string{}
	var out []string
	for _, l := range in {
		i, j := strings.Index(l, "{"), strings.Index(l, "}")
		if i < 0 {
			out = append(out, l)
			continue
		}
		key := l[:i] + "\x00" + l[j+1:]
		layers[key] = append(layers[key], strings.Split(l[i+1:j], ",")...)
	}
	for key, l := range layers {
		var all []string
		for _, x := range l {
			from, to, ok := strings.Cut(x, "-")
			if !ok {
				to = from
			}
			a, _ := units.ParseCount(from)
			b, _ := units.ParseCount(to)
			for ; a <= b; a++ {
				all = append(all, units.Itoa(a))
			}
		}
		sort.Strings(all)
		out = append(out, strings.Replace(key, "\x00", "{"+strings.Join(all, ",")+"}", 1))
	}
	sort.Strings(out)
	return out
}

// TestAdapters holds the adapters of every record, tensor by tensor, against
// what peft 0.21.2 adds to transformers' own modules.
func TestAdapters(t *testing.T) {
	records, err := oracle.LoadAdapters(os.DirFS("../memory/testdata"), "lora.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(records) == 0 {
		t.Fatal("no records")
	}
	targets := map[string]string{"attention q,v": "q,v", "attention q,k,v,o": "q,k,v,o", "peft default": "peft-default"}
	for _, r := range records {
		t.Run(string(r.Config)+"/"+r.Targets+"/"+units.Itoa(r.Rank), func(t *testing.T) {
			set := r.Targets
			if s := targets[set]; s != "" {
				set = s
			}
			list, _, err := train.Adapters(describe(t, string(r.Config)), r.Rank, set)
			if err != nil {
				t.Fatal(err)
			}
			total := int64(0)
			for i := range list {
				total += list[i].Params()
			}
			var want []string
			for _, x := range r.Tensors {
				shape := ""
				for i, n := range x.Shape {
					if i > 0 {
						shape += "x"
					}
					shape += units.Itoa(n)
				}
				want = append(want, x.Name+"\t"+shape)
			}
			got := lines(list)
			want = merge(want)
			if total != r.Trainable || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%d parameters, want %d", total, r.Trainable)
				diff(t, got, want)
			}
		})
	}
}

// diff prints the lines that only one side has.
func diff(t *testing.T, got, want []string) {
	in := func(l []string, x string) bool {
		for _, y := range l {
			if x == y {
				return true
			}
		}
		return false
	}
	for _, x := range got {
		if !in(want, x) {
			t.Logf("extra   %s", x)
		}
	}
	for _, x := range want {
		if !in(got, x) {
			t.Logf("missing %s", x)
		}
	}
}

// differ are the types whose adapters are not peft's, with the reason.
var differ = map[string]string{
	"hrm_text":      "the checkpoint holds as one matrix what the class holds as several",
	"inkling2_text": "modules inside its convolutions are parameters in the checkpoint",
	"zamba2":        "every layer that runs the shared block gets adapters on all of the block's own",
}

// refuses are the targets that peft itself stops at, though they can be counted.
var refuses = map[string]string{
	"mixtral peft-default":  "it turns the missing targets of types with fused experts into none, although its table has some",
	"falcon_h1 all-linear":  "out_proj stands in a mixer whose kernel reads the weight itself",
	"nemotron_h all-linear": "out_proj stands in a mixer whose kernel reads the weight itself",
}

// TestAdaptersOfTypes holds the number of trainable parameters for every causal
// type that peft takes, at its class's defaults.
func TestAdaptersOfTypes(t *testing.T) {
	rows, err := oracle.LoadTable(os.DirFS("testdata"), "adapters.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		m := describe(t, `{"model_type":"`+row["type"]+`","architectures":["`+row["class"]+`"]}`)
		for _, targets := range []string{"q,v", "q,k,v,o", "all-linear", "peft-default"} {
			list, _, fail := train.Adapters(m, 8, targets)
			got := "-"
			if fail == nil {
				n := int64(0)
				for i := range list {
					n += list[i].Params()
				}
				got = units.Itoa(n)
			}
			if got != row[targets] && differ[row["type"]] == "" && (refuses[row["type"]+" "+targets] == "" || row[targets] != "-") {
				t.Errorf("%s %s: %s, want %s", row["type"], targets, got, row[targets])
			}
		}
	}
}

// TestTargets is what a person may ask for.
func TestTargets(t *testing.T) {
	const h, ffn, layers, r = 4096, 11008, 32, 4
	attention, mlp := int64(4*2*h), int64(3*(h+ffn)) // columns and rows of the adapted matrices of a layer
	for _, c := range []struct {
		config, targets string
		want            int64
		missing         string
	}{
		{`{"model_type":"llama"}`, "all-linear", layers * r * (attention + mlp), ""},
		{`{"model_type":"llama"}`, "all-linear-no-experts", layers * r * (attention + mlp), ""},
		{`{"model_type":"llama"}`, "o", layers * r * 2 * h, ""},
		{`{"model_type":"llama"}`, "q,q_proj,q", layers * r * 2 * h, ""},
		{`{"model_type":"llama"}`, "gate_proj,up_proj,down_proj", layers * r * mlp, ""},
		{`{"model_type":"llama"}`, "o,c_attn", layers * r * 2 * h, "c_attn"},
		{`{"model_type":"opt","hidden_size":768}`, "q,k,v,o", 12 * r * 3 * 2 * 768, "o_proj"},                            // OPT's is out_proj
		{`{"model_type":"mixtral"}`, "all-linear-no-experts", layers * r * (2*2*h + 2*(h+1024)), ""},                     // no router, no experts
		{`{"model_type":"gpt2"}`, "all-linear", 12 * r * ((768 + 2304) + (768 + 768) + (768 + 3072) + (3072 + 768)), ""}, // c_attn, c_proj, c_fc, c_proj: stored input first
	} {
		list, missing, err := train.Adapters(describe(t, c.config), r, c.targets)
		if err != nil {
			t.Errorf("%s %s: %v", c.config, c.targets, err)
			continue
		}
		n := int64(0)
		for i := range list {
			n += list[i].Params()
		}
		if n != c.want || strings.Join(missing, ",") != c.missing {
			t.Errorf("%s %s: %d, missing %v; want %d, missing %s", c.config, c.targets, n, missing, c.want, c.missing)
		}
	}
	for _, c := range [][3]string{
		{`{"model_type":"phi3"}`, "q,v", "it has qkv_proj, o_proj, gate_up_proj, down_proj"}, // its queries, keys and values are one matrix
		{`{"model_type":"phi3"}`, "peft-default", ""},
		{`{"model_type":"gpt2"}`, "q,k,v,o", "it has c_attn, c_proj, c_fc; peft-default takes c_attn"}, // two modules of a layer are called c_proj
		{`{"model_type":"llama"}`, "no_such_proj", "it has q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj; peft-default takes q_proj, v_proj"},
		{`{"model_type":"mamba"}`, "q,v", "it has in_proj, x_proj, dt_proj, out_proj"},
		{`{"model_type":"t5"}`, "q,v", "it has q, k, v, o, wi, wo; peft-default takes q, v"}, // q is short for q_proj, which it lacks
	} {
		if list, _, err := train.Adapters(describe(t, c[0]), r, c[1]); err == nil || err.Field != "lora-targets" || err.Allowed == "" || err.Hint != c[2] {
			t.Errorf("%s %s: %d adapters, error %v", c[0], c[1], len(list), err)
		}
	}
}
