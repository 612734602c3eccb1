package checkpoint_test

import (
	"fmt"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// FuzzHeader: no bytes make the reader panic, and what is read in pieces is what is read whole.
func FuzzHeader(f *testing.F) {
	header, _ := safetensors(llamaTensors())
	f.Add(header, int64(-1), 7)
	good, size := layered().bytes()
	f.Add(good, size, 13)
	f.Add(raw(`{"a":{"dtype":"F8_E4M3","shape":[2,3],"data_offsets":[0,6]},"a_scale":{"dtype":"F32","shape":[],"data_offsets":[6,10]}}`), int64(-1), 1)
	f.Add([]byte("GGUF\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"), int64(-1), 3)
	cfg, _ := config.ParseObject(fmt.Sprintf(llama, `,"quantization_config":{"quant_method":"gptq","bits":3}`))
	m, fail := family.Describe(cfg, families.Library())
	if fail != nil {
		f.Fatal(fail)
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64, piece int) {
		whole, pieces := &checkpoint.List{}, &checkpoint.List{}
		errA := read(whole, "x", b, size, len(b)+1)
		errB := read(pieces, "x", b, size, max(piece%64, 1))
		if (errA == nil) != (errB == nil) || whole.Len() != pieces.Len() || whole.Bytes != pieces.Bytes {
			t.Fatalf("whole: %v, %d tensors; in pieces: %v, %d", errA, whole.Len(), errB, pieces.Len())
		}
		if errA != nil || whole.Finish() != nil {
			return
		}
		v := checkpoint.Verify(whole, cfg, m)
		sum := int64(0)
		for _, d := range v.Differences {
			if d.Tensors < 0 || d.Parameters < 0 {
				t.Fatalf("%+v", d)
			}
			if d.Kind == checkpoint.Extra {
				sum += d.Tensors
			}
		}
		if v.Parameters < 0 || sum > v.Tensors {
			t.Fatalf("%+v", v)
		}
		whole.Config()
	})
}
