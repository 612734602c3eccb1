package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/wasm/hub/fetch"
)

// held is a checkpoint that MODEL names, and the config beside it.
type held struct {
	name string // of the folder, file or model, for people
	id   string // of a model of the hub, as links name it
	text []byte // the config.json; nil when there is none
	from string // where the config is from
	list *checkpoint.List
	load func() error // reads headers into list; nil when that is done
}

// headers reads the headers, once.
func (h *held) headers() error {
	if load := h.load; load != nil {
		h.load = nil
		// Headers of half a million tensors leave much behind while they are read; without a bound the collector
		// lets it grow to twice what is kept.
		debug.SetMemoryLimit(40 << 20)
		return load()
	}
	return nil
}

// config reads the config: of a GGUF file its own metadata, once its header is read.
func (h *held) config() (config.Value, error) {
	if h.list != nil && h.list.GGUF() {
		return h.list.Config(), nil
	}
	if h.text == nil {
		return config.Value{}, nil
	}
	cfg, fail := config.ParseObject(string(h.text))
	if fail != nil {
		if fail.File == "" && fail.Field == "" {
			fail.File = h.from
		}
		return cfg, fail
	}
	return cfg, nil
}

func hasEnd(name string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(strings.ToLower(name), e) {
			return true
		}
	}
	return false
}

// openLocal reads a folder or a file; ok is false when there is none of that name,
// or it is a plain config.
func openLocal(path string) (h *held, ok bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || !strings.ContainsAny(path, `/\.`) {
			return nil, false, nil
		}
		return nil, false, err
	}
	switch {
	case info.IsDir():
		h, err = openFolder(path)
	case hasEnd(path, ".json") && !hasEnd(path, ".index.json"):
		return nil, false, nil
	case hasEnd(path, ".index.json", ".safetensors", ".gguf") || checkpoint.IsPickle(path):
		h, err = openFile(path)
	default:
		if known, e := sniff(path); e != nil || !known {
			return nil, false, e
		}
		h, err = openFile(path)
	}
	if h != nil {
		h.name = path
	}
	return h, true, err
}

// sniff tells a checkpoint without an ending from a config: files of the local hub cache have none.
func sniff(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var b [9]byte
	n, _ := io.ReadFull(f, b[:])
	return n >= 4 && string(b[:4]) == "GGUF" || n == 9 && b[8] == '{' && b[7] == 0 && b[6] == 0, nil
}

// openFolder finds a folder's config, and its checkpoint when somebody asks for it.
func openFolder(dir string) (*held, error) {
	return openIn(dir, func(names []string) ([]string, *fault.Error) { return checkpoint.Pick(dir, names) })
}

// openFile finds the config beside a file. A part of a set stands for the set.
func openFile(path string) (*held, error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return openIn(dir, func(names []string) ([]string, *fault.Error) {
		if hasEnd(name, ".safetensors", ".gguf") {
			return checkpoint.Parts(dir, names, name)
		}
		if known, err := sniff(path); !known && err == nil && checkpoint.IsPickle(name) {
			return nil, checkpoint.Pickle(path)
		}
		return []string{name}, nil
	})
}

// openIn reads a folder's config; pick chooses the files of the checkpoint.
func openIn(dir string, pick func(names []string) ([]string, *fault.Error)) (*held, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	h := &held{}
	if slices.Contains(names, "config.json") {
		if h.text, err = readSmall(filepath.Join(dir, "config.json")); err != nil {
			return nil, err
		}
		h.from = filepath.Join(dir, "config.json")
	}
	h.load = func() error {
		files, fail := pick(names)
		if fail != nil {
			return fail
		}
		if len(files) == 0 {
			return nil
		}
		var err error
		h.list, err = readFiles(dir, files)
		return err
	}
	return h, nil
}

// readFiles reads the headers of files of a folder, or of those that an index names.
func readFiles(dir string, files []string) (*checkpoint.List, error) {
	var index *checkpoint.Index
	if hasEnd(files[0], ".index.json") {
		index = checkpoint.NewIndex(files[0])
		if err := readIndex(filepath.Join(dir, files[0]), index); err != nil {
			return nil, err
		}
		files = slices.Sorted(slices.Values(index.Files))
		for _, f := range files {
			if _, err := os.Stat(filepath.Join(dir, f)); errors.Is(err, fs.ErrNotExist) {
				return nil, &fault.Error{File: filepath.Join(dir, index.Name), Given: f, Problem: "the index names a file that is not there", Hint: "fetch it into the same folder"}
			}
		}
	}
	list := &checkpoint.List{}
	for _, f := range files {
		if err := readFile(list, dir, f); err != nil {
			return nil, err
		}
	}
	err := list.Finish()
	if err == nil && index != nil {
		err = index.Check(list)
	}
	if err != nil {
		err.File = filepath.Join(dir, err.File)
		return nil, err
	}
	return list, nil
}

func readFile(list *checkpoint.List, dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) { // it is listed, so it is a link
		return &fault.Error{File: path, Problem: "this is a link to a file that is not there", Hint: "fetch the file again"}
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // opening a pipe waits for whoever writes into it
		return &fault.Error{File: path, Problem: "this isn't a regular file", Allowed: "a file on a disk, which can be read from its middle"}
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = fetch.ReadHeader(list, name, info.Size(), f)
	var fail *fault.Error
	if errors.As(err, &fail) && fail.File == name {
		fail.File = path
	}
	return err
}

func readIndex(path string, x *checkpoint.Index) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		if fail := x.Write(buf[:n]); fail != nil {
			fail.File = path
			return fail
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if fail := x.End(); fail != nil {
		fail.File = path
		return fail
	}
	return nil
}

// readSmall reads a config; one byte more than is allowed, so that the parser says that it is too long.
func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, config.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
