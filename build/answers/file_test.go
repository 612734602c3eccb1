package answers

import (
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"llmsize/content/asked"
	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/model"
)

// stored is a tensor of a file that a test writes.
type stored struct {
	name, dtype string
	shape       []int64
}

// listed reads a safetensors file of these tensors, by its header.
func listed(t *testing.T, list []stored) *checkpoint.List {
	t.Helper()
	var b strings.Builder
	at := int64(0)
	for i, x := range list {
		n := map[string]int64{"F8_E4M3": 1, "BF16": 2, "F32": 4, "I32": 4, "BOOL": 1}[x.dtype]
		var sides []string
		for _, d := range x.shape {
			n *= d
			sides = append(sides, strconv.FormatInt(d, 10))
		}
		sep := ","
		if i == 0 {
			sep = "{"
		}
		fmt.Fprintf(&b, `%s%q:{"dtype":%q,"shape":[%s],"data_offsets":[%d,%d]}`, sep, x.name, x.dtype, strings.Join(sides, ","), at, at+n)
		at += n
	}
	return opened(t, b.String()+"}", at)
}

// opened reads a header that data bytes follow.
func opened(t *testing.T, header string, data int64) *checkpoint.List {
	t.Helper()
	l := &checkpoint.List{}
	r := checkpoint.NewReader(l, "model.safetensors", int64(8+len(header))+data)
	if err := r.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)); err != nil {
		t.Fatal(err)
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	if err := l.Finish(); err != nil {
		t.Fatal(err)
	}
	return l
}

func digits(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDrawnFile writes the file that the figure draws, by the names, shapes and bytes that the figure says, and reads it.
func TestDrawnFile(t *testing.T) {
	html, err := newEngine(t).Figure("file", "v=1&model=qwen3-0.6b", nil)
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`>&(?:quot|#34);([a-z_.0-9]+)&(?:quot|#34);<`).FindAllStringSubmatch(html, -1)
	entries := regexp.MustCompile(`BF16 \[([0-9, ]+)\], bytes ([0-9,]+)–([0-9,]+)<`).FindAllStringSubmatch(html, -1)
	length := regexp.MustCompile(`([0-9,]+) bytes: the header<`).FindStringSubmatch(html)
	if len(names) != 2*shown || len(entries) != 2*shown || length == nil { // a wide drawing and a narrow one
		t.Fatalf("%d names, %d entries, %v", len(names), len(entries), length)
	}
	header := "{"
	for i, e := range entries[:shown] {
		if i > 0 {
			header += ","
		}
		header += fmt.Sprintf(`"%s":{"dtype":"BF16","shape":[%s],"data_offsets":[%d,%d]}`, names[i][1], strings.ReplaceAll(e[1], " ", ""), digits(t, e[2]), digits(t, e[3]))
	}
	header += "}"
	n, end := int(digits(t, length[1])), digits(t, entries[shown-1][3])
	if n%8 != 0 || n < len(header) || n >= len(header)+8 {
		t.Errorf("the header has %d bytes, the figure says %d", len(header), n)
	}
	l := opened(t, header+strings.Repeat(" ", n-len(header)), end)
	if l.Len() != shown || l.Bytes != end {
		t.Errorf("%d tensors of %d bytes, the figure says %d of %d", l.Len(), l.Bytes, shown, end)
	}
	first := binary.LittleEndian.AppendUint64(nil, uint64(n))
	if want := fmt.Sprintf(">%02x</text>", first[0]); !strings.Contains(html, want) {
		t.Errorf("the length's first byte is not drawn: %s", want)
	}
	for i := range l.Len() { // what is drawn is the model's own
		if !slices.ContainsFunc(asked.Answer(t, "model=qwen3-0.6b").Model.Runs(), func(r model.Run) bool { return r.Tensor.Elements == l.Elements(i) }) {
			t.Errorf("%s is none of the model's", l.Name(i))
		}
	}
}

// TestWhatIsInTheFile holds the chapter's header, layout and verdicts against what the reader makes of such files.
func TestWhatIsInTheFile(t *testing.T) {
	text, err := os.ReadFile("../../content/chapters/what-is-in-the-file.md")
	if err != nil {
		t.Fatal(err)
	}
	chapter := string(text)
	after := func(mark string) string {
		_, rest, ok := strings.Cut(chapter, mark)
		if !ok {
			t.Fatalf("the chapter lacks %q", mark)
		}
		return rest
	}

	// The header of two tensors: bytes 0 to 2,047 are the first one's, 1,024 numbers of two bytes.
	header, _, _ := strings.Cut(after("```json\n"), "```")
	l := opened(t, strings.TrimSpace(header), 311166976)
	if norm := l.Find("model.norm.weight"); l.Len() != 2 || l.Elements(norm) != 1024 || !strings.Contains(chapter, "bytes {~given 0~} to {~given 2,047~}") {
		t.Errorf("%d tensors, a norm of %d", l.Len(), l.Elements(norm))
	}

	// GGUF: four bytes and four, then two numbers of eight.
	if shape := after("## GGUF"); !strings.Contains(shape, "4 bytes        \"GGUF\"\n4 bytes        version\n8 + 8 bytes    how many tensors, how many entries of metadata") {
		t.Error("the chapter tells GGUF's first bytes otherwise")
	}
	gguf := &checkpoint.List{}
	r := checkpoint.NewReader(gguf, "m.gguf", 24)
	if err := r.Write(append([]byte("GGUF\x03\x00\x00\x00"), make([]byte, 16)...)); err != nil || r.End() != nil {
		t.Errorf("a file of these bytes alone: %v, %v", err, r.End())
	}

	// GPTQ's layout, as the table says it, for a matrix of 4,096 × 14,336 in groups of 128.
	sides := strings.NewReplacer(`\(`, "", `\)`, "", `n_{\text{in}}`, "4096", `n_{\text{out}}`, "14336", "{~known 128~}", "128")
	var packed []stored
	for _, row := range regexp.MustCompile("\n\\| `([a-z_]+)` \\| (32-bit integers|16-bit) \\| ([^|]+) \\|").FindAllStringSubmatch(after("## Packed weights"), -1) {
		x := stored{name: "m." + row[1], dtype: map[string]string{"32-bit integers": "I32", "16-bit": "BF16"}[row[2]]}
		for _, side := range strings.Split(sides.Replace(row[3]), `\times`) {
			n, by, _ := strings.Cut(strings.TrimSpace(side), "/")
			if by == "" {
				by = "1"
			}
			x.shape = append(x.shape, digits(t, n)/digits(t, by))
		}
		packed = append(packed, x)
	}
	l = listed(t, packed)
	v := checkpoint.Verify(l, config.Value{}, nil)
	want := []stored{{"m.qweight", "I32", []int64{4096 * 4 / 32, 14336}}, {"m.scales", "BF16", []int64{4096 / 128, 14336}}, {"m.qzeros", "I32", []int64{4096 / 128, 14336 * 4 / 32}}, {"m.g_idx", "I32", []int64{4096}}}
	if !reflect.DeepEqual(packed, want) || v.Parameters != 4096*14336 {
		t.Errorf("%v hold %d elements; want %v, the matrix has %d", packed, v.Parameters, want, 4096*14336)
	}

	// The five checkpoints: what the class builds, and beside it what the table says.
	for _, c := range []struct {
		slug, verdict, reason string
		beside                func() []stored
	}{
		{"qwen3-0.6b", checkpoint.MoreIn, checkpoint.Tied, func() []stored { return []stored{{"lm_head.weight", "BF16", []int64{151936, 1024}}} }},
		{"llama-2-7b", checkpoint.MoreIn, checkpoint.Buffer, func() (out []stored) {
			for i := range 32 {
				out = append(out, stored{fmt.Sprintf("model.layers.%d.self_attn.rotary_emb.inv_freq", i), "F32", []int64{64}})
			}
			return out
		}},
		{"gpt-neo-1.3b", checkpoint.MoreIn, checkpoint.Buffer, func() (out []stored) {
			for i := 0; i < 24; i += 2 { // those that see all
				out = append(out, stored{fmt.Sprintf("transformer.h.%d.attn.attention.bias", i), "BOOL", []int64{1, 1, 2048, 2048}})
			}
			return out
		}},
		{"llama-3.1-8b", checkpoint.Equal, "", func() []stored { return nil }},
	} {
		answer := asked.Answer(t, "model="+c.slug)
		var list []stored
		for _, run := range answer.Model.Runs() {
			var shape []int64
			for _, d := range run.Tensor.Dims {
				shape = append(shape, d.Size)
			}
			run.Names(func(name string) { list = append(list, stored{name, "BF16", shape}) })
		}
		v := checkpoint.Verify(listed(t, append(list, c.beside()...)), answer.Subject.Config, answer.Model)
		extra := int64(0)
		for _, d := range v.Differences {
			if d.Kind == checkpoint.Extra {
				extra += d.Parameters
				if d.Reason != c.reason {
					t.Errorf("%s: %s %s", c.slug, d.Kind, d.Reason)
				}
			}
		}
		repository := v.Parameters
		if found, ok := answer.Field("parameters.repository"); ok {
			repository = digits(t, found.Text)
		}
		row := after("](/models/" + c.slug + "/) | {=")
		row, _, _ = strings.Cut(row, "\n")
		if v.Verdict != c.verdict || v.Parameters != repository || v.Config+extra != repository || c.reason != "" && !strings.Contains(row, c.reason) && c.reason != checkpoint.Tied || c.reason == checkpoint.Tied && !strings.Contains(row, "a second time") {
			t.Errorf("%s: %s, %d elements, %d of the class and %d beside it; the published files have %d: %s", c.slug, v.Verdict, v.Parameters, v.Config, extra, repository, row)
		}
	}
	if !strings.Contains(chapter, "Verdict: `"+checkpoint.MoreIn+"`, reason `"+checkpoint.Tied+"`.") {
		t.Error("the worked verdict is another")
	}

	// The verdicts, the first that applies.
	var verdicts []string
	for _, row := range regexp.MustCompile("\n\\| `([a-z]+)` \\|").FindAllStringSubmatch(after("| Verdict | Means"), -1) {
		verdicts = append(verdicts, row[1])
	}
	if want := []string{checkpoint.Alone, checkpoint.Differs, checkpoint.MoreIn, checkpoint.OtherIn, checkpoint.Equal}; !slices.Equal(verdicts, want) {
		t.Errorf("the table has %v, the verdicts are %v", verdicts, want)
	}
}
