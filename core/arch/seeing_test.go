package arch_test

import (
	"fmt"
	"strings"
	"testing"

	"llmsize/core/arch"
)

// TestSeeingLanguage holds what the language has for images: each line beside
// what torch's module of that kind stores.
func TestSeeingLanguage(t *testing.T) {
	lib := arch.NewLibrary()
	lib.Add("x", `type x
title X
class X base
key kernel : any = 3
let k = pair(kernel)
block model
  stream image stride pow(2, 4) plus 1
    vision
      conv up 8 -> 12 kernel k[0], k[1] groups 4 bias true transposed
      conv down 8 -> 12 kernel k[0], k[1] groups 4 bias true
      batchnorm seen 12
      param none [0, 12] empty
      param gone [0, 12]
  stream queries plus 100
    vision
      linear box 12 -> 4
`)
	m, err := describe(t, lib, `{"model_type":"x","architectures":["X"],"kernel":[3,5]}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range tensors(m) {
		got = append(got, fmt.Sprint(r.Name, r.Shape))
	}
	// torch: ConvTranspose2d(8, 12, (3, 5), groups=4) stores [8, 3, 3, 5], Conv2d [12, 2, 3, 5]
	want := "up.weight[8 3 3 5] up.bias[12] down.weight[12 2 3 5] down.bias[12] seen.weight[12] seen.bias[12] seen.running_mean[12] seen.running_var[12] seen.num_batches_tracked[] none[0 12] box.weight[4 12]"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if p, b := sums(m); p != 8*3*15+12+12*2*15+12+24+48 || b != 12+12+1 {
		t.Errorf("%d parameters, %d buffers", p, b)
	}
	first, last := &m.Blocks[0].Kinds[0].Parts[0], &m.Blocks[1].Kinds[0].Parts[0]
	if first.Get("stride") != 16 || first.Get("plus") != 1 || last.Has("stride") || last.Get("plus") != 100 {
		t.Errorf("streams: %v, %v", first.Props, last.Props)
	}
}
