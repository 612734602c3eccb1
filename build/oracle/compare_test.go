package oracle_test

import (
	"strings"
	"testing"

	"llmsize/build/oracle"
)

func tensors(lines ...string) []oracle.Tensor {
	var out []oracle.Tensor
	for _, l := range lines {
		name, shape, _ := strings.Cut(l, " ")
		s, err := oracle.ParseShape(shape)
		if err != nil {
			panic(err)
		}
		out = append(out, oracle.Tensor{Name: name, Shape: s})
	}
	return out
}

func TestCompareFindsEqual(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got []oracle.Tensor
	}{
		{"order", tensors("a 2", "b 3x4"), tensors("b 3x4", "a 2")},
		{"folded differently", tensors("l.{0-3}.w 2"), tensors("l.{0,2}.w 2", "l.{1,3}.w 2")},
		{"plain numbers", tensors("l.{0-1}.e.{0-1}.w 2"), tensors("l.0.e.0.w 2", "l.1.e.1.w 2", "l.1.e.0.w 2", "l.0.e.1.w 2")},
		{"boxes cut the other way", tensors("l.{0-1}.e.{0-3}.w 2"), tensors("l.{0-1}.e.{0-1}.w 2", "l.{0-1}.e.{2-3}.w 2")},
		{"shapes by layer", tensors("l.{0,2}.w 2", "l.{1,3}.w 3"), tensors("l.0.w 2", "l.1.w 3", "l.2.w 2", "l.3.w 3")},
		{"index inside a part", tensors("block{0-1}.w 2"), tensors("block{0}.w 2", "block{1}.w 2")},
		{"scalar", tensors("s -"), tensors("s -")},
	} {
		if d := oracle.Compare(c.want, c.got); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

func TestCompareTellsWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got []oracle.Tensor
		says      string
	}{
		{"missing", tensors("l.{0-3}.w 2x3"), tensors("l.{0-1}.w 2x3"), "missing: 2 tensors\n  l.{2-3}.w  2x3\n"},
		{"extra", tensors("a 2"), tensors("a 2", "b 3"), "extra: 1 tensors\n  b  3\n"},
		{"twice", tensors("a 2"), tensors("a 2", "a 2"), "extra: 1 tensors\n  a  2\n"},
		{"in two boxes", tensors("l.{0-3}.w 2"), tensors("l.{0-2}.w 2", "l.{2-3}.w 2"), "extra: 1 tensors\n  l.{2}.w  2\n"},
		{"wrong shape", tensors("l.{0-3}.w 2x3"), tensors("l.{0-3}.w 3x2"), "wrong shape: 4 tensors\n  l.{0-3}.w  want 2x3, got 3x2\n"},
		{"one layer's shape", tensors("l.{0-2}.w 2"), tensors("l.{0,2}.w 2", "l.1.w 3"), "wrong shape: 1 tensors\n  l.{1}.w  want 2, got 3\n"},
		{"no list", tensors("a 2"), nil, "missing: 1 tensors\n  a  2\n"},
		{"broken name", tensors("a 2"), tensors("a.{3-1} 2"), `got: name "a.{3-1}": index set {3-1}: "3-1" is neither a number nor a range`},
	} {
		if d := oracle.Compare(c.want, c.got); d != c.says {
			t.Errorf("%s: says\n%s\nwant\n%s", c.name, d, c.says)
		}
	}
}

// Ten lines are enough to see what is wrong.
func TestCompareIsShort(t *testing.T) {
	var many []oracle.Tensor
	for _, s := range strings.Split("abcdefghijklmno", "") {
		many = append(many, oracle.Tensor{Name: s})
	}
	d := oracle.Compare(nil, many)
	if want := "extra: 15 tensors\n"; !strings.HasPrefix(d, want) || strings.Count(d, "\n") != 12 || !strings.Contains(d, "and 5 lines more") {
		t.Errorf("says\n%s", d)
	}
}

func TestExpandCompress(t *testing.T) {
	folded := tensors("h.{0-2,5}.e.{0,4-5}.w 2x3", "n 4")
	all, err := oracle.Expand(folded)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 4*3+1 || all[0].Name != "h.0.e.0.w" || all[11].Name != "h.5.e.5.w" {
		t.Fatalf("expands to %v", all)
	}
	again, err := oracle.Compress(all)
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != 2 || again[0].Name != folded[0].Name || again[1].Name != folded[1].Name {
		t.Errorf("folds to %v", again)
	}
}

func BenchmarkCompareExpanded(b *testing.B) {
	want := tensors("l.{0-60}.e.{0-255}.a 2048x7168", "l.{0-60}.e.{0-255}.b 7168x2048", "l.{0-60}.e.{0-255}.c 2048x7168")
	got, err := oracle.Expand(want)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if d := oracle.Compare(want, got); d != "" {
			b.Fatal(d)
		}
	}
}
