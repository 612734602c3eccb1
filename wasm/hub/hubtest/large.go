package hubtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"llmsize/core/model"
	"llmsize/core/spell"
)

// Quantized lays a model out as DeepSeek-V3 is published: matrices inside layers in fp8 with a scale for each square of 128,
// the rest in 16 bits, in a number of files with an index; the layers for further tokens come with the others. Files are
// headers alone, behind which they read as zeros.
func Quantized(m *model.Model, files int) (out map[string]File, tensors int) {
	type stored struct {
		name, dtype string
		dims        []int64
		bytes       int64
	}
	var all []stored
	beside := model.Model{Blocks: m.Beside}
	for _, x := range []*model.Model{m, &beside} {
		for _, run := range x.Runs() {
			t := run.Tensor
			dims, n := make([]int64, len(t.Dims)), int64(1)
			for i, d := range t.Dims {
				dims[i] = d.Size
				n *= d.Size
			}
			run.Names(func(name string) {
				name = spell.Out(name)
				if len(dims) != 2 || !strings.Contains(name, ".layers.") || t.Role == model.Embedding || t.Role == model.Head || t.Role == model.Router {
					all = append(all, stored{name, "BF16", dims, 2 * n})
					return
				}
				squares := []int64{(dims[0] + 127) / 128, (dims[1] + 127) / 128}
				all = append(all, stored{name, "F8_E4M3", dims, n}, stored{name + "_scale_inv", "F32", squares, 4 * squares[0] * squares[1]})
			})
		}
	}
	out = map[string]File{}
	where := map[string]string{}
	for f := range files {
		name := fmt.Sprintf("model-%05d-of-%06d.safetensors", f+1, files)
		var b strings.Builder
		at := int64(0)
		for i, x := range all[f*len(all)/files : (f+1)*len(all)/files] {
			dims, _ := json.Marshal(x.dims)
			sep := ","
			if i == 0 {
				sep = "{"
			}
			fmt.Fprintf(&b, `%s%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, sep, x.name, x.dtype, dims, at, at+x.bytes)
			at += x.bytes
			where[x.name] = name
		}
		b.WriteString("}")
		head := append(binary.LittleEndian.AppendUint64(nil, uint64(b.Len())), b.String()...)
		out[name] = File{Head: head, Size: int64(len(head)) + at}
	}
	index, _ := json.Marshal(map[string]any{"metadata": map[string]any{}, "weight_map": where})
	out["model.safetensors.index.json"] = File{Head: index}
	return out, len(all)
}
