package chart

import (
	"testing"

	"llmsize/core/family/families"
	"llmsize/core/model"
)

// TestSceneIsToScale lays out GPT-2's layer: with 768 elements as one side, the matrix to
// 3 × 768 columns is three times as wide as high, and the one to 4 × 768 four times.
func TestSceneIsToScale(t *testing.T) {
	m := described(t, families.Library(), `{"model_type": "gpt2"}`)
	s := SceneOf(m, 622, 168)
	if s.Width > 622_00 || s.Height > 168_00 {
		t.Errorf("%d × %d hundredths do not fit", s.Width, s.Height)
	}
	seen := map[string]bool{}
	for _, x := range s.Shapes {
		if x.X < 0 || x.Y < 0 || x.X+x.W > s.Width || x.Y+x.H > s.Height {
			t.Errorf("%+v reaches over the sheet", x)
		}
		times := map[string]int64{"c_attn": 3, "c_fc": 4}[x.Name]
		if times == 0 {
			continue
		}
		seen[x.Name] = true
		if off := x.W - times*x.H; off < -times || off > times { // a hundredth of a pixel for each side
			t.Errorf("%s is %d × %d, want %d times as wide as high", x.Name, x.W, x.H, times)
		}
	}
	if !seen["c_attn"] || !seen["c_fc"] {
		t.Errorf("the layer's matrices are not there: %+v", s.Shapes)
	}
}

// TestSceneKeepsTheMainLayer has room for one thing: it is the kind of layer with most parameters.
func TestSceneKeepsTheMainLayer(t *testing.T) {
	m := described(t, families.Library(), `{"model_type": "t5", "num_layers": 2, "num_decoder_layers": 24}`)
	s := SceneOf(m, 120, 60)
	if s.Left == 0 {
		t.Error("nothing was left out of a sheet of 120 × 60")
	}
	layers := 0
	for _, l := range s.Labels {
		if l.Title {
			layers++
		}
	}
	if layers != 1 {
		t.Errorf("%d kinds of layer are drawn: %+v", layers, s.Labels)
	}
}

// TestSceneKeepsWhatIsStored: in ALBERT one layer is stored, and the other eleven are it again.
func TestSceneKeepsWhatIsStored(t *testing.T) {
	m := described(t, families.Library(), `{"model_type": "albert"}`)
	s := SceneOf(m, 120, 60)
	stored := 0
	for _, x := range s.Shapes {
		if !x.Tied && x.Role == model.FFN {
			stored++
		}
	}
	if s.Left == 0 || stored != 2 {
		t.Errorf("%d parts are left out and %d matrices of the feed-forward are stored, want some and 2: %+v", s.Left, stored, s.Shapes)
	}
}

func TestSceneShowsWhichExpertsWork(t *testing.T) {
	m := described(t, families.Library(), `{"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}`)
	idle, busy := 0, 0
	for _, x := range SceneOf(m, 622, 168).Shapes {
		switch {
		case x.Role != model.Expert:
		case x.Idle:
			idle++
		default:
			busy++
		}
	}
	if busy != 2 || idle != 6 {
		t.Errorf("%d experts at work and %d idle, want 2 and 6", busy, idle)
	}
}
