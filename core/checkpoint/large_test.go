package checkpoint_test

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
)

// many reads a header of n tensors of 16 elements without ever holding it whole.
func many(t *testing.T, n int, name func(i int) string) (*checkpoint.List, error) {
	t.Helper()
	entry := func(i int) string {
		return fmt.Sprintf(`"%s":{"dtype":"F8_E4M3","shape":[16],"data_offsets":[%d,%d]}`, name(i), 16*i, 16*i+16)
	}
	length := 2 + n - 1
	for i := range n {
		length += len(entry(i))
	}
	l := &checkpoint.List{}
	r := checkpoint.NewReader(l, "x.safetensors", -1)
	if err := r.Write(binary.LittleEndian.AppendUint64(nil, uint64(length))); err != nil {
		return l, err
	}
	for i := range n {
		sep := ","
		if i == 0 {
			sep = "{"
		}
		if err := r.Write([]byte(sep + entry(i))); err != nil {
			return l, err
		}
	}
	if err := r.Write([]byte("}")); err != nil {
		return l, err
	}
	if err := l.Finish(); err != nil {
		return l, err
	}
	return l, nil
}

// live is what the heap holds.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A million tensors are refused, with the file's name; as many as are read take far less than 64 MB, their verdict included.
func TestManyTensors(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 1.5 million tensors")
	}
	_, err := many(t, 1_000_000, func(i int) string { return fmt.Sprint(i) })
	if err == nil || !strings.HasPrefix(err.Error(), "x.safetensors: ") || !strings.Contains(err.Error(), "more tensors than we read") {
		t.Errorf("a million tensors: %v", err)
	}
	before := live()
	l, err := many(t, checkpoint.MaxTensors, func(i int) string {
		return fmt.Sprintf("model.layers.%d.mlp.experts.%d.w%d.weight", i/4096, i%4096/4, i%4)
	})
	if err != nil {
		t.Fatal(err)
	}
	v := checkpoint.Verify(l, config.Value{}, nil)
	if v.Tensors != checkpoint.MaxTensors || v.Parameters != 16*checkpoint.MaxTensors {
		t.Errorf("%d tensors of %d elements", v.Tensors, v.Parameters)
	}
	if after := live(); after-before > 40<<20 {
		t.Errorf("%d tensors take %d MB", l.Len(), (after-before)>>20)
	} else {
		t.Logf("%d tensors take %d MB", l.Len(), (after-before)>>20)
	}
	runtime.KeepAlive(l)
}
