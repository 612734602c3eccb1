package family_test

import (
	"runtime"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
	"llmsize/core/work"
)

// TestTensorsArePaidAsMade: loops that make millions of tensors end by the budget before these fill the memory. Of these
// 84 bytes a page's program made 270 MB first, and was stopped.
func TestTensorsArePaidAsMade(t *testing.T) {
	cfg, fail := config.ParseObject(`{"model_type":"pp_lcnet_v3","conv_symmetric_num":3000,"num_channels":7,"divisor":61}`)
	if fail != nil {
		t.Fatal(fail)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, fail = family.DescribeWithin(cfg, families.Library(), work.New(0))
	runtime.ReadMemStats(&after)
	if fail == nil || fail.Field != "conv_symmetric_num" {
		t.Errorf("it is refused for %v", fail)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
		t.Errorf("until then it takes %d MB", took)
	}
}
