package catalogue_test

import (
	"testing"

	"llmsize/content"
	"llmsize/content/catalogue"
)

// TestNearest: all words of a name, in any order, letters and digits apart.
func TestNearest(t *testing.T) {
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	devices, err := catalogue.AllDevices()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"qwen 32b 3", "qwen3-32b"}, {"Llama3 8B", "llama-3-8b"}, {"8b llama 3.1", "llama-3.1-8b"}, {"mixtral 22", "mixtral-8x22b"}, {"gpt2", "gpt2"}} {
		if got := models.Nearest(c[0]); len(got) == 0 || got[0] != c[1] {
			t.Errorf("%s: %v, want %s first", c[0], got, c[1])
		}
	}
	for _, c := range [][2]string{{"4090", "rtx-4090-24gb"}, {"rtx 4090", "rtx-4090-24gb"}, {"rtx4090", "rtx-4090-24gb"}, {"max m4", "apple-m4-max-128gb"}} {
		if got := devices.Nearest(c[0]); len(got) == 0 || got[0] != c[1] {
			t.Errorf("%s: %v, want %s first", c[0], got, c[1])
		}
	}
	if got := models.Nearest("zzzz"); len(got) != 0 {
		t.Errorf("zzzz: %v", got)
	}
	if _, err := catalogue.LoadPopular(content.FS(), models, devices); err != nil {
		t.Error(err)
	}
}
