package oracle

import (
	"context"
	"errors"
	"os"
)

// Fixtures turns what the oracle recorded into the text files that the
// tests compare with.
//
//	go run ./build fixtures ORACLE_DIR
//
// It runs in the root of the repository. ORACLE_DIR is what build/oracle writes:
// the folders causal, seq2seq, masked, encoder, vlm and other with a JSON file, or
// one packed by gzip, for every model type, and real.json and refusals.jsonl.gz. Beside them it may hold llama.cpp, vllm, lora.json,
// activations.json and the folder steps, what other programs do with a model. What is not there is
// left as it is. Every file that is written replaces the one before it, so that a
// diff shows what a new oracle changed.
func Fixtures(_ context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run ./build fixtures ORACLE_DIR")
	}
	oracle := args[0]
	if _, err := os.Stat(oracle); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return writeRefusals(oracle, "core/family/testdata/refusals.txt") },
		func() error { return writeSteps(oracle, "core/step/testdata") },
		func() error { return writeTypes(oracle, "core/family/testdata") },
		func() error { return writeReal(oracle, "core/family/testdata/real.txt") },
		func() error { return writeGGUF(oracle, "core/quant/testdata/gguf.txt") },
		func() error { return writeLlamaCpp(oracle, "core/memory/testdata/llamacpp.txt") },
		func() error { return writeVLLM(oracle, "core/memory/testdata/vllm.txt") },
		func() error { return writeAdapters(oracle, "core/memory/testdata/lora.txt") },
		func() error { return writeActivations(oracle, "core/memory/testdata/activations.txt") },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
