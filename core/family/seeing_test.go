package family_test

import (
	"fmt"
	"strings"
	"testing"

	"llmsize/core/family"
	"llmsize/core/model"
)

// TestSeeingLanguage holds what the language has for images: each line beside
// what torch's module of that kind stores.
func TestSeeingLanguage(t *testing.T) {
	lib := family.NewLibrary()
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
  stream image stride 7 floor
    vision
      linear whole 12 -> 5
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
	want := "up.weight[8 3 3 5] up.bias[12] down.weight[12 2 3 5] down.bias[12] seen.weight[12] seen.bias[12] seen.running_mean[12] seen.running_var[12] seen.num_batches_tracked[] none[0 12] box.weight[4 12] whole.weight[5 12]"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if p, b := sums(m); p != 8*3*15+12+12*2*15+12+24+48+60 || b != 12+12+1 {
		t.Errorf("%d parameters, %d buffers", p, b)
	}
	first, last := &m.Blocks[0].Kinds[0].Parts[0], &m.Blocks[1].Kinds[0].Parts[0]
	if first.Get(model.Stride) != 16 || first.Get(model.Plus) != 1 || last.Has(model.Stride) || last.Get(model.Plus) != 100 {
		t.Errorf("streams: %v, %v", first.Props, last.Props)
	}
	if p := &m.Blocks[2].Kinds[0].Parts[0]; p.Get(model.Stride) != 7 || p.Get(model.Floor) != 1 || first.Has(model.Floor) {
		t.Errorf("whole places: %v, and elsewhere %v", p.Props, first.Props)
	}
}

// TestBackboneLanguage holds what a model around a backbone says and reads: which stages are
// given out, their widths, and whether batch norms are constants.
func TestBackboneLanguage(t *testing.T) {
	lib := family.NewLibrary()
	lib.Add("net", `type net
title Net
class Net backbone
key widths : list = [4, 8, 16]
key out : list = [2]
let frozen = false
def wide(s) = widths[s]
def given(s) = s in out
let outs = those(given, len(widths))
let channels = each(wide, outs)
block model
  stream image
    vision
      for s in len(widths)
        batchnorm {s} widths[s] frozen frozen
`)
	lib.Add("around", `type around
title Around
class Around base
key net_config : any? = null
block model
  submodel "net" at net from net_config class backbone role vision as seen
    set frozen = true
    if not net_config
      default out = [0, 2]
  stream image
    projector
      for j in len(seen.channels)
        linear {j} seen.channels[j] -> 1
`)
	for _, test := range []struct {
		name, config, want string
		params             int64
	}{
		{"what is usual", `{"model_type":"around","architectures":["Around"]}`, "0.weight[1 4] 1.weight[1 16]", 4 + 16},
		{"what is said", `{"model_type":"around","architectures":["Around"],"net_config":{"widths":[3,5],"out":[1]}}`, "0.weight[1 5]", 5},
		{"what is said is all", `{"model_type":"around","architectures":["Around"],"net_config":{"widths":[3,5,7]}}`, "0.weight[1 7]", 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := describe(t, lib, test.config)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range tensors(m) {
				if !strings.HasPrefix(r.Name, "net.") {
					got = append(got, fmt.Sprint(r.Name, r.Shape))
				}
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("%s, want %s", s, test.want)
			}
			if p, _ := sums(m); p != test.params { // a frozen norm has buffers alone
				t.Errorf("%d parameters, want %d", p, test.params)
			}
		})
	}
}
