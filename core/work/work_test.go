package work_test

import (
	"math"
	"testing"

	"llmsize/core/work"
)

func TestBudget(t *testing.T) {
	b := work.New(10)
	b.About("outer")
	before := b.About("layers")
	if before != "outer" {
		t.Errorf("the key before is %q", before)
	}
	if !b.Spend(4) || !b.Times(3, 2) || b.Err() != nil || b.Used() != 10 {
		t.Errorf("ten steps are not ten: %d used, %v", b.Used(), b.Err())
	}
	if b.Spend(1) {
		t.Error("an eleventh step")
	}
	if e := b.Err(); e == nil || e.Field != "layers" || e.Problem == "" || e.Allowed == "" {
		t.Errorf("the fault is %+v", e)
	}
	b.About("another")
	if b.Spend(0) || b.Err().Field != "layers" {
		t.Errorf("after its end it goes on: %+v", b.Err())
	}
}

// TestAnew: a budget that begins again has what the first had, and takes nothing from it.
func TestAnew(t *testing.T) {
	b := work.New(10)
	b.Spend(7)
	again := b.Anew()
	if !again.Spend(10) || again.Spend(1) || !b.Spend(3) {
		t.Errorf("%d used, %d", again.Used(), b.Used())
	}
}

// TestTimesDoesNotWrap spends products that pass int64.
func TestTimesDoesNotWrap(t *testing.T) {
	for _, x := range [][2]int64{{math.MaxInt64, math.MaxInt64}, {1 << 32, 1 << 32}, {3, math.MaxInt64 / 2}} {
		b := work.New(1000)
		if b.Times(x[0], x[1]) || b.Err() == nil {
			t.Errorf("%d times %d steps are fewer than 1,000", x[0], x[1])
		}
	}
	if b := work.New(1000); !b.Times(0, math.MaxInt64) || b.Used() != 0 {
		t.Error("nothing times anything is not nothing")
	}
}

func TestNoBudgetHasNoEnd(t *testing.T) {
	var b *work.Budget
	b.About("x")
	if !b.Spend(math.MaxInt64) || !b.Times(math.MaxInt64, 2) || b.Err() != nil || b.Used() != 0 {
		t.Error("a nil budget ended")
	}
	if b := work.New(0); !b.Spend(work.Standard) || b.Spend(1) {
		t.Error("the budget of no steps is not the standard")
	}
}

func TestRest(t *testing.T) {
	b := work.New(100)
	b.Spend(20)
	r := b.Rest(4)
	if !r.Spend(20) || r.Spend(1) || b.Err() != nil || b.Used() != 20 {
		t.Errorf("a quarter of 80 steps is not 20 of its own: %d and %d used", r.Used(), b.Used())
	}
	b.Spend(80)
	if b.Rest(4).Spend(1) {
		t.Error("the rest of nothing is something")
	}
}
