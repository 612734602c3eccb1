package assets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/andybalholm/brotli"

	"llmsize/build/toolchain"
)

// Brotli measures what a file costs on the wire: its length after brotli at level 11.
// Lengths are kept in a folder, by the hash of the content.
type Brotli struct{ CacheDir string }

// Size is the compressed length of data.
func (b Brotli) Size(data []byte) (int, error) {
	sum := sha256.Sum256(data)
	name := filepath.Join(b.CacheDir, hex.EncodeToString(sum[:]))
	if kept, err := os.ReadFile(name); err == nil {
		if n, err := strconv.Atoi(string(kept)); err == nil {
			return n, nil
		}
	}
	n, err := packed(brotli.NewWriterLevel(nil, brotli.BestCompression), data)
	if err != nil {
		return 0, err
	}
	if b.CacheDir != "" {
		if err := toolchain.WriteWhole(name, []byte(strconv.Itoa(n))); err != nil {
			return 0, fmt.Errorf("cache of sizes: %w", err)
		}
	}
	return n, nil
}

// Quick is a length that Size will not pass, found in a fraction of the time: level 5.
func (b Brotli) Quick(data []byte) (int, error) {
	w := quick.Get().(*brotli.Writer)
	defer quick.Put(w)
	return packed(w, data)
}

// quick keeps writers from file to file: one that is new clears its tables first, a quarter of the time that a page takes.
var quick = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, 5) }}

func packed(w *brotli.Writer, data []byte) (int, error) {
	var n counter
	w.Reset(&n)
	if _, err := w.Write(data); err != nil {
		return 0, fmt.Errorf("brotli: %w", err)
	}
	if err := w.Close(); err != nil {
		return 0, fmt.Errorf("brotli: %w", err)
	}
	return int(n), nil
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
