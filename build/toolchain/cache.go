package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
)

// CacheDir is the folder for what every checkout on this machine shares: LLMSIZE_CACHE, else
// llmsize under XDG_CACHE_HOME, else under ~/.cache, else .cache in root. tinygo.sh knows the same order.
func CacheDir(root string) string {
	if dir := os.Getenv("LLMSIZE_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "llmsize")
	}
	if home := os.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".cache", "llmsize")
	}
	return filepath.Join(root, ".cache")
}

// Root is the checkout that dir lies in: the nearest folder upwards that holds go.mod.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("no go.mod in %s or above it", dir)
		}
	}
}

// place fills a new folder beside dst and renames it to dst, so that dst is either whole or absent
// although several processes may try at once. Where dst is there already it is kept.
func place(dst string, fill func(tmp string) error) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dst), filepath.Base(dst)+".part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := fill(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, dst); err != nil {
		if _, there := os.Stat(dst); there == nil {
			return nil
		}
		return err
	}
	return nil
}
