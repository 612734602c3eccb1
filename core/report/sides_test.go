package report_test

import (
	"testing"

	"llmsize/core/memory"
	"llmsize/core/units"
)

// TestSides: with 16 of Llama 3.1 8B's 32 layers on a device. In two bytes each, a layer has 2·4096² + 2·4096·1024 + 3·4096·14336 + 2·4096
// weights, the last norm 4,096, the embedding and the LM head 128,256 · 4,096. Of the cache each of 8,192 tokens takes 2 · 8 · 128 · 2 bytes a layer.
func TestSides(t *testing.T) {
	const (
		layer = 2 * (2*4096*4096 + 2*4096*1024 + 3*4096*14336 + 2*4096)
		table = 2 * 128256 * 4096
		cache = 8192 * 2 * 8 * 128 * 2
		half  = 16*layer + 16*cache + 2*4096/2
		mib   = 1 << 20
	)
	const link = "model=llama-3.1-8b&bandwidth=1000000000000&memory="
	r := on(t, link+"12000000000&ngl=16")
	s := r.Sides()
	if s == nil || int64(s.Device) != half || int64(s.Host) != half+2*table || int64(s.Embedding) != table || s.OnDevice != 16 || s.Layers != 32 || s.How() != "16 of 32 layers on the device" {
		t.Fatalf("%+v", s)
	}
	if int64(s.DeviceCache) != 16*cache || int64(s.HostCache) != 16*cache {
		t.Errorf("of the cache %.0f bytes are on the device and %.0f on the host, of each 16 layers have %d", s.DeviceCache, s.HostCache, 16*cache)
	}
	if got := int64(s.Device) + int64(s.Host); got != int64(r.Weights.Bytes)+int64(r.Cache.Bytes) {
		t.Errorf("both sides hold %d bytes, weights and cache are %d", got, int64(r.Weights.Bytes)+int64(r.Cache.Bytes))
	}
	// Beside them: what memory.total has of activations, logits in 16 to 32 bits, and 307 to 614 MiB of the runtime.
	var act memory.Term
	for _, x := range r.Running.Terms {
		if x.What == "activations" {
			act = x
		}
	}
	if act.Bytes <= 0 || s.Holds.Bytes != half+act.Bytes+4*128256+(307+614)*mib/2 || s.Holds.Low != half+act.Low+2*128256+307*mib || s.Holds.High != half+act.High+4*128256+614*mib {
		t.Errorf("%+v beside %d", s.Holds, act.Bytes)
	}
	// Weights and cache alone would have room in each of these.
	for room, want := range map[int64]string{s.Holds.Low - 1: "no", s.Holds.Low: "unclear", s.Holds.High - 1: "unclear", s.Holds.High: "yes"} {
		x := on(t, link+units.Itoa(room)+"&ngl=16").Sides()
		free, short := x.Free(room)
		if x.Fits != want || free*short != 0 || free-short != room-s.Holds.Bytes {
			t.Errorf("%d bytes: %s, want %s; %d free, %d short", room, x.Fits, want, free, short)
		}
	}
	// With the LM head, and without a layer.
	if all := on(t, link+"40000000000&ngl=33").Sides(); int64(all.Host) != table || int64(all.Device) != 32*(layer+cache)+2*4096+table {
		t.Errorf("%+v", all)
	}
	if none := on(t, link+"40000000000&ngl=0").Sides(); none.Device != 0 || none.Holds.Low <= 307*mib {
		t.Errorf("%+v", none)
	}
	for _, x := range []string{"12000000000", "40000000000&ngl=16&devices=2"} {
		if got := on(t, link+x).Sides(); got != nil {
			t.Errorf("%s: %+v", x, got)
		}
	}
	// Qwen3 30B-A3B's experts: 48 layers of 128, each three matrices of 2,048 × 768.
	moe := on(t, "model=qwen3-30b-a3b&weights=bf16&device=rtx-4060-ti-16gb&context=4096&ncmoe=36").Sides()
	if got := moe.Host - moe.Embedding; got != 2*36*128*3*2048*768 || moe.How() != "the experts of 36 layers on the host" {
		t.Errorf("%s: %.0f bytes of experts on the host", moe.How(), got)
	}
	// A tied table is on both sides: gemma-2-2b has 256,000 rows of 2,304 numbers.
	tied := on(t, "model=gemma-2-2b&weights=bf16&device=rtx-4060-ti-16gb&context=4096&ngl=27")
	if x := tied.Sides(); int64(x.Host) != 2*256000*2304 || int64(x.Device) != int64(tied.Weights.Bytes)+int64(tied.Cache.Bytes) {
		t.Errorf("%+v", x)
	}
}
