package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// writeAdapters writes the adapters that LoRA adds to a type's defaults.
func writeAdapters(oracle, out string) error {
	var list []struct {
		ModelType string `json:"model_type"`
		Config    json.RawMessage
		Rank      int64
		Targets   string
		Trainable int64
		Tensors   []tensorJSON
	}
	found, err := readJSON(oracle, "lora.json", &list)
	if !found || err != nil {
		return err
	}
	var all []Adapter
	for _, j := range list {
		a := Adapter{Config: j.Config, Rank: j.Rank, Targets: j.Targets, Trainable: j.Trainable}
		for _, t := range j.Tensors {
			a.Tensors = append(a.Tensors, Tensor(t))
		}
		all = append(all, a)
	}
	text, err := FormatAdapters(all)
	if err != nil {
		return err
	}
	back, err := ParseAdapters(string(text))
	if err != nil {
		return fmt.Errorf("%s cannot be read again: line %w", out, err)
	}
	again, err := FormatAdapters(back)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, text) {
		return fmt.Errorf("%s: reading and writing again gives another text", out)
	}
	fmt.Printf("%s: %d adapters, %d bytes\n", out, len(all), len(text))
	return write(out, text)
}

// writeActivations writes what autograd saves for a backward pass.
func writeActivations(oracle, out string) error {
	var list []struct {
		Config json.RawMessage
		Tokens int64
		Saved  int64 `json:"saved_bytes"`
	}
	found, err := readJSON(oracle, "activations.json", &list)
	if !found || err != nil {
		return err
	}
	t := Table{
		Comment: "bytes that autograd saves in the plain modules in bf16, scores kept, loss in fp32",
		Head:    []string{"config", "tokens", "saved_bytes"},
	}
	for _, j := range list {
		var config bytes.Buffer
		if err := json.Compact(&config, j.Config); err != nil {
			return err
		}
		t.Rows = append(t.Rows, []string{config.String(), fmt.Sprint(j.Tokens), fmt.Sprint(j.Saved)})
	}
	return writeTable(out, t)
}
