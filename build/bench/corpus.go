package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"llmsize/build/toolchain"
)

// Limits of what the repository keeps for a target: inputs, and bytes of them.
const (
	mostInputs = 60
	mostBytes  = 8 << 10
)

// header begins an input as the testing package writes it.
const header = "go test fuzz v1\n"

// file is where the repository keeps a target's corpus: inputs as the testing package writes them, without
// their header, with an empty line between.
func (f *fuzzer) file(t target) string {
	return filepath.Join(f.corpus, strings.NewReplacer("/", "-", " ", ".").Replace(t.title())+".txt")
}

// kept reads the corpus that the repository has for a target.
func (f *fuzzer) kept(t target) ([]string, error) {
	text, err := os.ReadFile(f.file(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []string
	for input := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		all = append(all, header+strings.TrimSpace(input)+"\n")
	}
	return all, nil
}

// unpack puts a target's kept corpus among what was found on this machine.
func (f *fuzzer) unpack(t target, dir string) error {
	all, err := f.kept(t)
	if err != nil {
		return err
	}
	for _, input := range all {
		sum := sha256.Sum256([]byte(input))
		name := filepath.Join(dir, hex.EncodeToString(sum[:8]))
		if _, err := os.Stat(name); err == nil {
			continue
		}
		if err := toolchain.WriteWhole(name, []byte(input)); err != nil {
			return err
		}
	}
	return nil
}

// keep writes the corpus of the repository: of what was found on this machine, the shortest inputs.
func (f *fuzzer) keep(ctx context.Context, parts []string) error {
	list, err := f.targets(ctx, parts)
	if err != nil {
		return err
	}
	for _, t := range list {
		dir := filepath.Join(f.cache, filepath.FromSlash(t.pkg), t.name)
		names, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var inputs []string
		for _, n := range names {
			text, err := os.ReadFile(filepath.Join(dir, n.Name()))
			if err != nil {
				return err
			}
			if input, ok := strings.CutPrefix(string(text), header); ok && !strings.Contains(input, "\n\n") {
				inputs = append(inputs, strings.TrimSpace(input))
			}
		}
		slices.SortFunc(inputs, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
		inputs = slices.Compact(inputs)
		size, n := 0, 0
		for n < len(inputs) && n < mostInputs && size+len(inputs[n]) <= mostBytes {
			size += len(inputs[n])
			n++
		}
		if n == 0 {
			continue
		}
		if err := toolchain.WriteWhole(f.file(t), []byte(strings.Join(inputs[:n], "\n\n")+"\n")); err != nil {
			return err
		}
		fmt.Fprintf(f.out, "fuzz: %-32s keeps %d of %d inputs\n", t.title(), n, len(inputs))
	}
	return nil
}
