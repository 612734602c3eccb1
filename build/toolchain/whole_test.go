package toolchain_test

import (
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"llmsize/build/toolchain"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "deep", "file.txt")
	for _, text := range []string{"first", "the second"} {
		if err := toolchain.WriteWhole(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("the file holds %q, %v", got, err)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("its mode is %v, %v: a server may not read it", info.Mode(), err)
	}
	// Who reads it has the old text to its end.
	open, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := toolchain.WriteWhole(name, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(open); err != nil || string(got) != "the second" {
		t.Errorf("who reads the old file has %q, %v", got, err)
	}
	alone(t, filepath.Dir(name), 1)
}

// TestWriteFails: what cannot be put in its place leaves nothing beside it.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "taken", "by"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := toolchain.WriteWhole(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a folder that holds something became a file")
	}
	alone(t, dir, 1)
}

// TestWriteTogether: of writers of one file the last one wins, whole.
func TestWriteTogether(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			text := make([]byte, 1<<16)
			for j := range text {
				text[j] = byte('a' + i)
			}
			if err := toolchain.WriteWhole(name, text); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := os.ReadFile(name)
	if err != nil || len(got) != 1<<16 || got[0] != got[len(got)-1] {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	alone(t, filepath.Dir(name), 1)
}

// alone checks how many names a folder holds: nothing unfinished is left.
func alone(t *testing.T, dir string, want int) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != want {
		t.Errorf("the folder holds %v, want %d names", list, want)
	}
}
