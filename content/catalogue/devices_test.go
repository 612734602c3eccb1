package catalogue_test

import (
	"testing"

	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/device"
)

func TestLoadDevices(t *testing.T) {
	all, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	h100, ok := all.Find("h100-sxm-80gb")
	if !ok {
		t.Fatal("the default device is missing")
	}
	// 81,559 MiB as nvidia-smi prints them; peers that take 80 GB or 80 GiB miss by 7% and 0.4%.
	if s := h100.Spec(); s.Memory != 81_559<<20 || s.Bandwidth != 3_350e9 || s.Peak[device.BF16] != 989e12 || s.LinkRate != 450e9 {
		t.Errorf("%+v", s)
	}
	board, ok := all.Find("HGX-H100-8")
	if !ok || board.Spec().Count != 8 || board.Spec().Memory != 81_559<<20 || board.Spec().Peak[device.FP8] != 1_979e12 {
		t.Errorf("board: %+v", board.Spec())
	}
	if near := all.Nearest("h100-sxm5"); len(near) == 0 || near[0] != "h100-sxm-80gb" {
		t.Errorf("near h100-sxm5: %v", near)
	}
	for i := range all.List {
		x := &all.List[i]
		if s := x.Spec(); s.Memory <= 0 || s.Bandwidth <= 0 || s.Count < 1 {
			t.Errorf("%s: %+v", x.Slug, s)
		}
	}
}

// TestPlainDevices: the page reads every device as the build knows it.
func TestPlainDevices(t *testing.T) {
	all, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	text, err := all.Plain([]string{"t4", "l40s"})
	if err != nil {
		t.Fatal(err)
	}
	list, fail := config.Parse(string(text))
	if fail != nil {
		t.Fatal(fail)
	}
	if len(list.Items) != len(all.List) {
		t.Fatalf("%d devices, want %d", len(list.Items), len(all.List))
	}
	for i := range list.Items {
		got, fail := device.Parse(&list.Items[i], nil)
		if fail != nil {
			t.Fatal(fail)
		}
		x, ok := all.Find(got.Slug)
		if !ok || *got != *x.Spec() {
			t.Errorf("the page reads %+v", got)
		}
		if first := []string{"t4", "l40s", "a10"}; i < len(first) && got.Slug != first[i] {
			t.Errorf("device %d is %s, want %s", i, got.Slug, first[i])
		}
	}
}
