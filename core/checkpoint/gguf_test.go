package checkpoint_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// ggufFile writes a header: metadata as pairs, tensors in F32 one behind the other.
type ggufFile struct {
	meta    [][]byte
	tensors [][]byte
	at      uint64
}

func text(s string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
}

func (g *ggufFile) put(key string, v any) {
	b := text(key)
	switch v := v.(type) {
	case string:
		b = append(binary.LittleEndian.AppendUint32(b, 8), text(v)...)
	case uint32:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 4), v)
	case []uint32:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 9), 4)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
	case []string:
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 9), 8)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = append(b, text(x)...)
		}
	}
	g.meta = append(g.meta, b)
}

// tensor adds one in F32; sides outermost first.
func (g *ggufFile) tensor(name string, dims ...uint64) {
	b := binary.LittleEndian.AppendUint32(text(name), uint32(len(dims)))
	n := uint64(4)
	for _, d := range slices.Backward(dims) {
		b = binary.LittleEndian.AppendUint64(b, d)
		n *= d
	}
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(b, 0), g.at)
	g.at += (n + 31) / 32 * 32
	g.tensors = append(g.tensors, b)
}

func (g *ggufFile) bytes() (header []byte, size int64) {
	b := binary.LittleEndian.AppendUint32([]byte("GGUF"), 3)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(g.tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(g.meta)))
	for _, x := range append(g.meta, g.tensors...) {
		b = append(b, x...)
	}
	return b, int64(len(b)+31)/32*32 + int64(g.at)
}

// layered is a model whose layers have different heads, and keys wider than values.
func layered() *ggufFile {
	g := &ggufFile{}
	g.put("general.architecture", "llama")
	g.put("llama.block_count", uint32(2))
	g.put("llama.embedding_length", uint32(64))
	g.put("llama.feed_forward_length", []uint32{96, 128})
	g.put("llama.attention.head_count", []uint32{4, 4})
	g.put("llama.attention.head_count_kv", []uint32{2, 1})
	g.put("llama.attention.key_length", uint32(24))
	g.put("llama.attention.value_length", uint32(16))
	g.put("tokenizer.ggml.tokens", slices.Repeat([]string{"token"}, 320))
	g.tensor("token_embd.weight", 320, 64)
	g.tensor("output_norm.weight", 64)
	for i, x := range []struct{ kv, ff uint64 }{{2, 96}, {1, 128}} {
		p := fmt.Sprintf("blk.%d.", i)
		g.tensor(p+"attn_norm.weight", 64)
		g.tensor(p+"attn_q.weight", 4*24, 64)
		g.tensor(p+"attn_k.weight", x.kv*24, 64)
		g.tensor(p+"attn_v.weight", x.kv*16, 64)
		g.tensor(p+"attn_output.weight", 64, 4*16)
		g.tensor(p+"ffn_norm.weight", 64)
		g.tensor(p+"ffn_gate.weight", x.ff, 64)
		g.tensor(p+"ffn_up.weight", x.ff, 64)
		g.tensor(p+"ffn_down.weight", 64, x.ff)
	}
	return g
}

func TestGGUF(t *testing.T) {
	header, size := layered().bytes()
	// Vocabulary, norms, and in each layer queries, keys, values, output and three sides of a feed-forward.
	want := int64(320*64 + 64 + 2*(64+64+4*24*64+64*64) + (2+1)*(24+16)*64 + (96+128)*3*64)
	for _, piece := range []int{1, 5, 1 << 16} {
		l := &checkpoint.List{}
		if err := read(l, "m.gguf", header, size, piece); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
		cfg := l.Config()
		m, fail := family.Describe(cfg, families.Library())
		if fail != nil {
			t.Fatal(fail, cfg.JSON())
		}
		v := checkpoint.Verify(l, cfg, m)
		if v.Verdict != "equal" || v.Parameters != want || v.Config != want || v.Bytes != 4*want || !m.Exact() {
			t.Errorf("%+v, want %d; %v", v, want, m.Warnings)
		}
	}
	other := layered()
	other.meta[5] = nil
	other.meta = slices.DeleteFunc(other.meta, func(b []byte) bool { return b == nil })
	other.put("llama.attention.head_count_kv", uint32(2))
	header, size = other.bytes()
	l := &checkpoint.List{}
	if err := errors.Join(asError(read(l, "m.gguf", header, size, 99)), asError(l.Finish())); err != nil {
		t.Fatal(err)
	}
	m, fail := family.Describe(l.Config(), families.Library())
	if fail != nil {
		t.Fatal(fail)
	}
	v := checkpoint.Verify(l, l.Config(), m)
	if got := summary(&v); got != fmt.Sprintf("differs; shape other 2/%d", (24+16)*64) {
		t.Error(got)
	}
}

func TestBadGGUF(t *testing.T) {
	good, size := layered().bytes()
	edit := func(f func(b []byte) []byte) []byte { return f(slices.Clone(good)) }
	first := slices.Index(good, 'g') - 8 // the length of the first key
	name := strings.Index(string(good), "token_embd.weight")
	for _, c := range []struct {
		name string
		b    []byte
		size int64
		want string
	}{
		{"cut in the metadata", good[:60], 60, "ends inside its header"},
		{"cut in the tensors", good[:len(good)-9], int64(len(good) - 9), "ends inside its header"},
		{"cut in the data", good, size - 64, "the file ends too early"},
		{"another version", edit(func(b []byte) []byte { b[4] = 9; return b }), size, "version of GGUF"},
		{"too many tensors", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[8:], 1<<60); return b }), size, "1,152,921,504,606,846,976 tensors"},
		{"too many entries", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[16:], 1<<60); return b }), size, "entries of metadata"},
		{"a key without end", edit(func(b []byte) []byte { binary.LittleEndian.PutUint64(b[first:], 1<<62); return b }), size, "more than the file has room for"},
		{"a text without end", edit(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[first+8+len("general.architecture")+4:], 1<<62)
			return b
		}), size, "4,611,686,018,427,387,904 bytes, more than the file has room for"},
		{"an unknown kind of metadata", edit(func(b []byte) []byte { b[first+8+len("general.architecture")] = 77; return b }), size, "not known: 77"},
		{"sides without end", edit(func(b []byte) []byte { b[name+len("token_embd.weight")] = 200; return b }), size, "200 sides"},
		{"a shape that overflows", edit(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[name+len("token_embd.weight")+4:], 1<<60)
			return b
		}), size, "more elements than can be counted"},
		{"an unknown type", edit(func(b []byte) []byte { b[name+len("token_embd.weight")+4+16] = 99; return b }), size, "type of tensor is not known: 99"},
		{"uneven blocks", edit(func(b []byte) []byte {
			b[name+len("token_embd.weight")+4+16] = 12 // Q4_K has blocks of 256, the row has 64
			return b
		}), size, "blocks of Q4_K"},
		{"an offset that is not aligned", edit(func(b []byte) []byte { b[name+len("token_embd.weight")+4+16+4] = 3; return b }), size, "data are said to begin"},
		{"a name that is not UTF-8", edit(func(b []byte) []byte { b[name] = 0xff; return b }), size, "not UTF-8"},
		{"overlapping", edit(func(b []byte) []byte {
			at := strings.Index(string(b), "output_norm.weight") + len("output_norm.weight") + 4 + 8 + 4
			binary.LittleEndian.PutUint64(b[at:], 32)
			return b
		}), size, "overlap"},
	} {
		for _, piece := range []int{1, 11, 1 << 16} {
			l := &checkpoint.List{}
			err := read(l, "x.gguf", c.b, c.size, piece)
			if err == nil {
				err = l.Finish()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.gguf: ") {
				t.Errorf("%s, in pieces of %d: %v, want %q", c.name, piece, err, c.want)
			}
		}
	}
	for cut := range good { // wherever a download stops
		l := &checkpoint.List{}
		err := read(l, "x.gguf", good[:cut], int64(cut), 1<<16)
		if err == nil {
			err = l.Finish()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "x.gguf: ") || !strings.Contains(err.Error(), "empty") && !strings.Contains(err.Error(), "ends inside its header, after") && !strings.Contains(err.Error(), "more than the file has room for, near byte") {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
	}
}
