package checkpoint_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
)

// TestBadSafetensors: every slip is named with its file, and nothing is read past it.
func TestBadSafetensors(t *testing.T) {
	entry := func(name, dtype, shape, offsets string) string {
		return fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":%s}`, name, dtype, shape, offsets)
	}
	good := entry("a", "F32", "[2]", "[0,8]")
	for _, c := range []struct {
		name   string
		header []byte
		size   int64
		want   string
	}{
		{"a header of 10 GB", binary.LittleEndian.AppendUint64(nil, 10<<30), -1, "says that its header has 10,737,418,240 bytes"},
		{"a header past all numbers", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), 20, "more than 9,223,372,036,854,775,807"},
		{"a header past the file", binary.LittleEndian.AppendUint64(nil, 5000), 100, "but the file has 100"},
		{"nothing", nil, 0, "the file is empty"},
		{"too short for a length", []byte("abc"), 3, "ends inside its header"},
		{"a cut header", raw("{" + good + "}")[:20], -1, "ends inside its header, after 20 bytes"},
		{"a file cut in its data", raw("{" + good + "}"), int64(len(good)) + 2 + 8 + 4, "the file ends too early"},
		{"a file with more", raw("{" + good + "}"), int64(len(good)) + 2 + 8 + 9, "longer than its tensors"},
		{"overlapping", raw("{" + good + "," + entry("b", "F32", "[2]", "[4,12]") + "}"), -1, "overlap"},
		{"a hole", raw("{" + good + "," + entry("b", "F32", "[2]", "[12,20]") + "}"), -1, "hole"},
		{"descending offsets", raw("{" + entry("b", "F32", "[2]", "[8,0]") + "}"), -1, "before they begin"},
		{"a wrong size", raw("{" + entry("b", "F32", "[3]", "[0,8]") + "}"), -1, "takes 12"},
		{"half a byte", raw("{" + entry("b", "F4", "[3]", "[0,1]") + "}"), -1, "whole bytes"},
		{"twice", raw("{" + good + "," + entry("a", "F32", "[2]", "[8,16]") + "}"), -1, "appears twice"},
		{"a shape that overflows", raw("{" + entry("b", "F32", "[4294967296,4294967296]", "[0,0]") + "}"), -1, "more elements than can be counted"},
		{"a side that overflows", raw("{" + entry("b", "F32", "[99999999999999999999]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a negative side", raw("{" + entry("b", "F32", "[-1]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a fraction", raw("{" + entry("b", "F32", "[1.5]", "[0,0]") + "}"), -1, "something else than sizes"},
		{"a list in a shape", raw("{" + entry("b", "F32", "[[1]]", "[0,0]") + "}"), -1, "holds more than numbers"},
		{"many sides", raw("{" + entry("b", "F32", "["+strings.Repeat("1,", 99)+"1]", "[0,4]") + "}"), -1, "too many sides"},
		{"three offsets", raw("{" + entry("b", "F32", "[1]", "[0,4,8]") + "}"), -1, "more than two numbers"},
		{"an unknown dtype", raw("{" + entry("b", "Q9", "[1]", "[0,4]") + "}"), -1, "dtype is not known"},
		{"no shape", raw(`{"b":{"dtype":"F32","data_offsets":[0,4]}}`), -1, "is missing"},
		{"a name that is not UTF-8", raw("{" + strings.Replace(good, "a", "\xff\xfe", 1) + "}"), -1, "not UTF-8"},
		{"a very long name", raw("{" + entry(strings.Repeat("n", 5000), "F32", "[2]", "[0,8]") + "}"), -1, "longer than 4,096"},
		{"nested", raw(`{"b":` + strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40) + "}"), -1, "nested too deep"},
		{"a list", raw(`[1,2]`), -1, "header is a list"},
		{"no JSON", raw(`hello`), -1, "not a JSON object"},
		{"more behind", raw(`{} {}`), -1, "more text"},
		{"a comma too many", raw("{" + good + ",}"), -1, "not JSON"},
		{"a web page", []byte("<!doctype html><title>Sign in</title>"), -1, "web page"},
		{"a pickle", []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20"), -1, "runs code"},
		{"a zipped pickle", []byte("PK\x03\x04\x00\x00\x08\x08\x00\x00"), -1, "runs code"},
		{"a zipped pickle whose next bytes are zero", []byte("PK\x03\x04\x00\x00\x00\x00\x00\x00"), 10, "runs code"},
		{"a pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), -1, "pointer"},
		{"a config", []byte(`{"model_type": "llama"}`), -1, "this is JSON"},
	} {
		for _, piece := range []int{1, 7, 1 << 16} {
			l := &checkpoint.List{}
			err := read(l, "x.safetensors", c.header, c.size, piece)
			if err == nil {
				err = l.Finish()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.safetensors: ") {
				t.Errorf("%s, in pieces of %d: %v, want %q", c.name, piece, err, c.want)
			}
		}
	}
}

// TestOrder: the reader takes data in any order, as the format does.
func TestOrder(t *testing.T) {
	text := `{"b":{"data_offsets":[8,16],"shape":[2],"dtype":"F32","more":{"x":[1,{}]}},"a\u00e9\ud83d\ude00":{"dtype":"F32","shape":[],"data_offsets":[16,20]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"e":{"dtype":"BF16","shape":[0,4],"data_offsets":[20,20]}}`
	for _, piece := range []int{1, 3, 1000} {
		l := &checkpoint.List{}
		if err := read(l, "x", raw(text), int64(len(text))+8+20, piece); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
		if l.Len() != 4 || l.Bytes != 20 || l.Find("aé😀") < 0 || l.Find("b") < 0 || l.Find("c") >= 0 || l.Elements(l.Find("e")) != 0 || l.Elements(l.Find("aé😀")) != 1 {
			t.Errorf("%d tensors, %d bytes", l.Len(), l.Bytes)
		}
	}
}
