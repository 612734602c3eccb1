package toolchain

import (
	"os"
	"path/filepath"
)

// WriteWhole puts data into the file name, under another name beside it at first, and makes its folder
// where there is none. A file that is open elsewhere keeps what it held.
// A program that is killed may leave the other one, which begins with ".part-".
func WriteWhole(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".part-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
