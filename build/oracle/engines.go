package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"llmsize/content"
)

// readJSON reads a file of the oracle. found is false where there is none.
func readJSON(oracle, name string, into any) (found bool, err error) {
	raw, err := os.ReadFile(filepath.Join(oracle, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// ofModels is readJSON for a list about models of the catalogue: it gives their slugs, none where the file is not there.
func ofModels(oracle, name string, into any) (known map[string]string, err error) {
	if found, err := readJSON(oracle, name, into); !found || err != nil {
		return nil, err
	}
	return slugs()
}

// shortened are the oracle's names that are no hub id.
var shortened = map[string]string{
	"google/gemma-3-12b":       "gemma-3-12b",
	"meta-llama/Llama-4-Scout": "llama-4-scout",
}

// slugs maps hub ids to the catalogue's slugs.
func slugs() (map[string]string, error) {
	names, err := fs.Glob(content.FS(), "models/*.json")
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for id, slug := range shortened {
		found[id] = slug
	}
	for _, name := range names {
		raw, err := fs.ReadFile(content.FS(), name)
		if err != nil {
			return nil, err
		}
		var m struct {
			Slug, Hub string
			Also      []string
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, id := range append(m.Also, m.Hub) {
			found[id] = m.Slug
		}
	}
	return found, nil
}

// slug finds a model's slug or says that the catalogue lacks it.
func slug(known map[string]string, id string) (string, error) {
	if s := known[id]; s != "" {
		return s, nil
	}
	return "", fmt.Errorf("the catalogue has no %s", id)
}

// writeGGUF writes which type llama.cpp picks for each tensor, by recipe.
func writeGGUF(oracle, out string) error {
	var list []struct {
		Model   string
		Arch    string `json:"gguf_arch"`
		Recipes map[string]struct {
			Bytes int64
			Types map[string][]string
		}
	}
	known, err := ofModels(oracle, "llama.cpp/gguf_types.json", &list)
	if len(known) == 0 || err != nil {
		return err
	}
	var all []Quantised
	for _, m := range list {
		s, err := slug(known, m.Model)
		if err != nil {
			return err
		}
		for _, recipe := range sortedKeys(m.Recipes) {
			r := m.Recipes[recipe]
			q := Quantised{Model: s, Arch: m.Arch, Recipe: strings.ToLower(recipe), Bytes: r.Bytes}
			for _, t := range sortedKeys(r.Types) {
				q.Types = append(q.Types, TypeOf{Type: t, Names: r.Types[t]})
			}
			all = append(all, q)
		}
	}
	text := FormatQuantised(all)
	back, err := ParseQuantised(string(text))
	if err != nil {
		return fmt.Errorf("%s cannot be read again: line %w", out, err)
	}
	if !bytes.Equal(FormatQuantised(back), text) {
		return fmt.Errorf("%s: reading and writing again gives another text", out)
	}
	fmt.Printf("%s: %d recipes, %d bytes\n", out, len(all), len(text))
	return write(out, text)
}

// writeLlamaCpp writes what llama.cpp reserves for cache, output and compute.
func writeLlamaCpp(oracle, out string) error {
	var list []struct {
		Model     string
		NCtx      int64  `json:"n_ctx"`
		NSeqMax   int64  `json:"n_seq_max"`
		NUBatch   int64  `json:"n_ubatch"`
		TypeK     string `json:"type_k"`
		TypeV     string `json:"type_v"`
		FlashAttn bool   `json:"flash_attn"`
		KV        []struct {
			Cells, Layers, Streams int64
			KMiB                   json.Number `json:"k_mib"`
			VMiB                   json.Number `json:"v_mib"`
		}
		Compute []json.Number `json:"compute_mib"`
		Output  []json.Number `json:"output_mib"`
	}
	known, err := ofModels(oracle, "llama.cpp/memory.json", &list)
	if len(known) == 0 || err != nil {
		return err
	}
	t := Table{
		Comment: "what llama.cpp reserves; a cache is cells,layers,streams,K MiB,V MiB; a model with windows has two",
		Head:    []string{"model", "n_ctx", "n_seq_max", "n_ubatch", "type_k", "type_v", "flash", "caches", "compute_mib", "output_mib"},
	}
	for _, m := range list {
		s, err := slug(known, m.Model)
		if err != nil {
			return err
		}
		if len(m.Compute) != 1 || len(m.Output) != 1 {
			return fmt.Errorf("%s: %d compute and %d output buffers", m.Model, len(m.Compute), len(m.Output))
		}
		var caches []string
		for _, c := range m.KV {
			caches = append(caches, fmt.Sprintf("%d,%d,%d,%s,%s", c.Cells, c.Layers, c.Streams, c.KMiB, c.VMiB))
		}
		flash := "off"
		if m.FlashAttn {
			flash = "on"
		}
		t.Rows = append(t.Rows, []string{
			s, fmt.Sprint(m.NCtx), fmt.Sprint(m.NSeqMax), fmt.Sprint(m.NUBatch), m.TypeK, m.TypeV, flash,
			strings.Join(caches, " "), m.Compute[0].String(), m.Output[0].String(),
		})
	}
	return writeTable(out, t)
}

// writeVLLM writes what vLLM's planner reserves for one request.
func writeVLLM(oracle, out string) error {
	var list []struct {
		Model    string
		Context  int64
		InFlight int64 `json:"in_flight"`
		Block    int64
		Groups   [][2]any
		Bytes    int64
	}
	known, err := ofModels(oracle, "vllm/kv.json", &list)
	if len(known) == 0 || err != nil {
		return err
	}
	t := Table{
		Comment: "what vLLM's planner reserves for one request in bf16; a group is its layers and their kind",
		Head:    []string{"model", "context", "in_flight", "block", "groups", "bytes"},
	}
	for _, m := range list {
		s, err := slug(known, m.Model)
		if err != nil {
			return err
		}
		var groups []string
		for _, g := range m.Groups {
			groups = append(groups, fmt.Sprintf("%v %s", g[0], strings.TrimSuffix(fmt.Sprint(g[1]), "Spec")))
		}
		t.Rows = append(t.Rows, []string{
			s, fmt.Sprint(m.Context), fmt.Sprint(m.InFlight), fmt.Sprint(m.Block), strings.Join(groups, ", "), fmt.Sprint(m.Bytes),
		})
	}
	return writeTable(out, t)
}

func writeTable(out string, t Table) error {
	text := FormatTable(t)
	back, err := ParseTable(string(text))
	if err != nil {
		return fmt.Errorf("%s cannot be read again: line %w", out, err)
	}
	if !bytes.Equal(FormatTable(back), text) {
		return fmt.Errorf("%s: reading and writing again gives another text", out)
	}
	fmt.Printf("%s: %d rows, %d bytes\n", out, len(t.Rows), len(text))
	return write(out, text)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
