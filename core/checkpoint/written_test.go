package checkpoint_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/model"
)

// written is a checkpoint that a real writer made: build/oracle/checkpoints.py.
type written struct {
	name, verdict, difference string
	elements                  int64
	config                    string
	files                     []headerFile
}

type headerFile struct {
	name string
	size int64
	head []byte
}

func readWritten(t *testing.T, file string) []written {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []written
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch f[0] {
		case "case":
			n, err := strconv.ParseInt(f[4], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, written{name: f[1], verdict: f[2], difference: f[3], elements: n})
		case "config":
			out[len(out)-1].config = f[1]
		case "file":
			size, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			packed, err := base64.StdEncoding.DecodeString(f[3])
			if err != nil {
				t.Fatal(err)
			}
			z, err := zlib.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			head, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			x := &out[len(out)-1]
			x.files = append(x.files, headerFile{f[1], size, head})
		}
	}
	return out
}

// TestWritten holds what transformers, safetensors and gguf wrote, and what quantizers make of it (build/oracle/quantizers.py), against
// their own counts: elements are those of the class's parameters, as torch counts them before anything is packed.
func TestWritten(t *testing.T) {
	cases := readWritten(t, "testdata/written.txt")
	packed := readWritten(t, "testdata/packed.txt")
	if len(cases) < 80 || len(packed) < 60 {
		t.Fatalf("only %d checkpoints, %d packed ones", len(cases), len(packed))
	}
	cases = append(cases, packed...)
	lib := families.Library()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := &checkpoint.List{}
			var index *checkpoint.Index
			for _, f := range c.files {
				if strings.HasSuffix(f.name, ".index.json") {
					index = checkpoint.NewIndex(f.name)
					if err := index.Write(f.head); err != nil {
						t.Fatal(err)
					}
					if err := index.End(); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if err := read(l, f.name, f.head, f.size, 1000); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Finish(); err != nil {
				t.Fatal(err)
			}
			if index != nil {
				if err := index.Check(l); err != nil {
					t.Error(err)
				}
			} else if len(c.files) > 1 {
				t.Error("no index of several files")
			}
			cfg := l.Config()
			if c.config != "" {
				var fail error
				if v, err := config.ParseObject(c.config); err == nil {
					cfg = v
				} else {
					fail = err
				}
				if fail != nil {
					t.Fatal(fail)
				}
			}
			m, fail := family.Describe(cfg, lib)
			if fail != nil {
				t.Fatal(fail)
			}
			if m.ReadAs != "" {
				m = nil
			}
			v := checkpoint.Verify(l, cfg, m)
			var differences []string
			extra := int64(0)
			for _, d := range v.Differences {
				differences = append(differences, d.Kind+" "+d.Reason)
				if d.Kind == checkpoint.Extra && d.Reason != checkpoint.Scale {
					extra += d.Parameters
				}
			}
			if v.Verdict != c.verdict || strings.Join(differences, ", ") != c.difference || c.elements > 0 && v.Config != c.elements {
				t.Errorf("%s, %v, %d elements; want %s, %s, %d\n%+v", v.Verdict, differences, v.Config, c.verdict, c.difference, c.elements, v.Differences)
			}
			if whole := !slices.ContainsFunc(v.Differences, func(d checkpoint.Difference) bool { return d.Kind == checkpoint.Missing || d.Kind == checkpoint.Shape }); whole && m != nil && v.Parameters != v.Config+v.Buffers+extra {
				t.Errorf("the checkpoint holds %d, the class %d + %d, and %d more", v.Parameters, v.Config, v.Buffers, extra)
			}
			// The lines that people see come to the checkpoint.
			if sum := v.Sum(); m != nil {
				n := int64(0)
				for _, x := range sum[:len(sum)-1] {
					n += x.N
				}
				if n != v.Parameters || sum[len(sum)-1].N != n || strings.Contains(sum[len(sum)-2].What, "halves") {
					t.Errorf("the lines come to %d of %d: %v", n, v.Parameters, sum)
				}
			}
			// Alone, the tensors make a model of the same size.
			alone := checkpoint.Model(l, cfg)
			n := int64(0)
			alone.Each(func(_ *model.Block, _ *model.Kind, _ *model.Part, x *model.Tensor, layers int64) {
				n += x.Elements * x.Copies * layers
			})
			if k, fail := checkpoint.Kept(checkpoint.Keep(alone)); fail != nil || !reflect.DeepEqual(k, alone) {
				t.Errorf("what is kept of it is another model: %v", fail)
			}
			// What nobody unpacks is counted as it is stored, and said not to be exact.
			if alone.Counted != (v.Unread == 0) {
				t.Errorf("alone: its count is said to be exact: %v, with %d matrices that are not unpacked", alone.Counted, v.Unread)
			}
			if v.Unread == 0 && n != v.Parameters {
				t.Errorf("alone: %d elements, the checkpoint has %d", n, v.Parameters)
			}
		})
	}
}
