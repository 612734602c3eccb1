package checkpoint_test

import (
	"strings"
	"testing"

	"llmsize/core/checkpoint"
)

// TestPick: of a folder's files the checkpoint is an index, a file with the usual name, a set of parts, or the one GGUF
// that is no projector; where it might be several, the message lists them.
func TestPick(t *testing.T) {
	for _, c := range []struct{ names, want, fault string }{
		{"config.json model-00001-of-00002.safetensors model-00002-of-00002.safetensors model.safetensors.index.json", "model.safetensors.index.json", ""},
		{"config.json model.safetensors other.safetensors", "model.safetensors", ""},
		{"config.json one.safetensors", "one.safetensors", ""},
		{"mmproj-model-f16.gguf model-q4_k_m.gguf", "model-q4_k_m.gguf", ""},
		{"model-q4_k_m.gguf model.mmproj-Q8_0.gguf", "model-q4_k_m.gguf", ""},
		{"mmproj-model-f16.gguf", "mmproj-model-f16.gguf", ""},
		{"a-00001-of-00002.gguf a-00002-of-00002.gguf", "a-00001-of-00002.gguf a-00002-of-00002.gguf", ""},
		{"config.json", "", ""},
		{"a.gguf b.gguf mmproj.gguf", "", "a.gguf, b.gguf; name one"},
		{"a-00001-of-00003.gguf a-00003-of-00003.gguf", "", "a-00002-of-00003.gguf"},
		{"config.json pytorch_model.bin", "", "runs code"},
		{"README.md", "", "no checkpoint and no config.json"},
	} {
		files, err := checkpoint.Pick("folder", strings.Fields(c.names))
		switch {
		case c.fault == "" && err != nil, c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v, want %q", c.names, err, c.fault)
		case c.fault == "" && strings.Join(files, " ") != c.want:
			t.Errorf("%s: %v", c.names, files)
		}
	}
}
