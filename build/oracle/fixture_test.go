package oracle_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"llmsize/build/oracle"
)

// testdata is where the files are that the other packages' tests read.
var testdata = os.DirFS("../../core/family/testdata")

var folders = []string{"causal", "seq2seq", "masked", "encoder", "vlm", "other"}

// The sum over a case's tensors is parameters + buffers, and its names are
// folded in the one form that Compress gives.
func TestFilesAreWhole(t *testing.T) {
	files, cases := 0, 0
	check := func(t *testing.T, c oracle.Case) {
		t.Helper()
		var sum int64
		for _, tensor := range c.Tensors {
			n, err := tensor.Elements()
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if want := c.Parameters + c.Buffers; sum != want {
			t.Errorf("%s: tensors sum to %d, want %d", c.Name, sum, want)
		}
		if testing.Short() {
			return
		}
		folded, err := oracle.Compress(c.Tensors)
		if err != nil {
			t.Fatal(err)
		}
		if len(folded) != len(c.Tensors) {
			t.Fatalf("%s: %d lines fold to %d", c.Name, len(c.Tensors), len(folded))
		}
		for i := range folded {
			if folded[i].Name != c.Tensors[i].Name {
				t.Fatalf("%s: line %d is %s, folded %s", c.Name, i, c.Tensors[i].Name, folded[i].Name)
			}
		}
	}
	for _, folder := range folders {
		loaded, err := oracle.LoadDir(testdata, folder)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range loaded {
			t.Run(folder+"/"+name, func(t *testing.T) {
				files++
				if want := f.ModelType + "." + f.Architecture; name != want {
					t.Errorf("file is named %s, holds %s", name, want)
				}
				names := map[string]bool{}
				for _, c := range f.Cases {
					cases++
					check(t, c)
					if names[c.Name] {
						t.Errorf("two cases are named %q", c.Name)
					}
					names[c.Name] = true
				}
			})
		}
	}
	real, err := oracle.LoadReal(testdata, "real.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range real {
		check(t, c)
		if c.Origin == "" || c.ModelType == "" || c.Architecture == "" {
			t.Errorf("%s: header is not whole: %q %q %q", c.Name, c.Origin, c.ModelType, c.Architecture)
		}
	}
	if files < 694 || cases < 7499 || len(real) < 277 {
		t.Errorf("%d files with %d cases and %d real configurations, want at least 694, 7499 and 277", files, cases, len(real))
	}
}

// What Format writes is what Parse read.
func TestFormatParse(t *testing.T) {
	for _, name := range []string{
		"causal/llama.LlamaForCausalLM.txt",
		"causal/deepseek_v3.DeepseekV3ForCausalLM.txt", // a small sibling, experts
		"causal/apertus.ApertusForCausalLM.txt",        // persistent buffers
		"causal/zamba2.Zamba2ForCausalLM.txt",          // state beside a cache
		"vlm/llava.LlavaForConditionalGeneration.txt",  // nested configs
		"seq2seq/t5.T5ForConditionalGeneration.txt",
	} {
		text, err := fs.ReadFile(testdata, name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := oracle.Parse(string(text))
		if err != nil {
			t.Fatalf("%s:%v", name, err)
		}
		again, err := oracle.Format(f)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(text) {
			t.Errorf("%s: written again it is another text", name)
		}
	}
}

func TestParse(t *testing.T) {
	const text = `model_type	toy
architecture	ToyModel
shape_key	layers	2

case
config	{"model_type":"toy","sub":{"a":1}}
parameters	20
buffers	1
persistent_buffers	b
+l.{0-1}.w	2x5
+b	-

case	0
set	layers	3
set	sub.b	null
unset	sub.a
each	{0-1}	{0-2}
parameters	33
persistent_buffers	-
buffers	0
-b
+l.{0-2}.bias	1

runtime
set	layers	3
tokens	24	64
flops	10	20
op	mm	10	20
cache	l.{0-1}.keys	bfloat16	1x24	1x64
cache	l.{0-1}.state	float32	none	1x9
`
	f, err := oracle.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c := f.Cases[1]
	if c.Name != "layers=3 -sub.a sub.b=null" {
		t.Errorf("name is %q", c.Name)
	}
	if string(c.Config) != `{"layers":3,"model_type":"toy","sub":{"b":null}}` {
		t.Errorf("config is %s", c.Config)
	}
	if d := oracle.Compare([]oracle.Tensor{{"l.{0-2}.w", []int64{2, 5}}, {"l.{0-2}.bias", []int64{1}}}, c.Tensors); d != "" {
		t.Error(d)
	}
	if c.Parameters != 33 || c.Buffers != 0 || len(c.PersistentBuffers) != 0 || c.ModelType != "toy" {
		t.Errorf("case is %+v", c)
	}
	if len(f.Cases[0].Tensors) != 2 || f.Cases[0].Tensors[1].Name != "l.{0-1}.w" {
		t.Errorf("the default case was changed by a later one: %v", f.Cases[0].Tensors)
	}
	p := f.Runtimes[0].Passes
	if len(p) != 2 || p[1].Tokens != 64 || p[1].FLOPs != 20 || len(p[0].Cache) != 1 || len(p[1].Cache) != 2 || p[1].Cache[1].DType != "float32" {
		t.Errorf("passes are %+v", p)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "model_type\ttoy\n\ncase\nconfig\t{}\n+a\t2\n"
	for text, want := range map[string]string{
		"what\tis this\n":               "1: unknown line",
		head + "-b\n":                   "6: -b: no such tensor",
		head + "~b\t3\n":                "6: ~b: no such tensor",
		head + "+b\t3y\n":               "6: shape",
		head + "case\t7\n":              "6: case \"7\"",
		head + "unset\tx\n":             "6: x: unset",
		head + "\tx\n":                  "6: line begins",
		head + "runtime\nflops\t1\n":    "7: 1 columns for 0 passes",
		"runtime\n":                     "1: runtime before",
		head + "case\t0\nset\ta.b\t1\n": "7: a: b: not inside an object",
	} {
		_, err := oracle.Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error is %v, want %s…", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("model_type\ttoy\n\ncase\nconfig\t{}\nparameters\t1\n+a.{0-1,3}\t2x3\n\ncase\t0\nset\ta\t1\neach\t{0}\t{1}\n")
	f.Add("case\nconfig\t{}\nruntime\ntokens\t24\nflops\t3\ncache\tx\tbfloat16\t-\n")
	f.Fuzz(func(t *testing.T, text string) {
		oracle.Parse(text) // must not panic
		oracle.ParseReal(text)
	})
}
