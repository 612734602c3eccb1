package assets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// Bounds finds lengths that Size will not pass in a fraction of its time: level 5. What it has found is kept in one file, of as many
// as some builds of the site have.
type Bounds struct {
	file  string
	known map[string]int
	order []string // of the hashes, the latest last
	found int      // this time
}

const mostBounds = 4000

// Bounds reads what is kept.
func (b Brotli) Bounds() *Bounds {
	l := &Bounds{known: map[string]int{}}
	if b.CacheDir == "" {
		return l
	}
	l.file = filepath.Join(b.CacheDir, "bounds.txt")
	text, _ := os.ReadFile(l.file) // where it can't be read, all are found anew
	for line := range strings.Lines(string(text)) {
		sum, length, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(length); err == nil && n > 0 {
			l.known[sum] = n
			l.order = append(l.order, sum)
		}
	}
	return l
}

// Of is the bound of a file's length.
func (l *Bounds) Of(data []byte) (int, error) {
	hash := sha256.Sum256(data)
	sum := hex.EncodeToString(hash[:])
	if n := l.known[sum]; n > 0 {
		return n, nil
	}
	w := quick.Get().(*brotli.Writer)
	defer quick.Put(w)
	n, err := packed(w, data)
	if err != nil {
		return 0, err
	}
	l.known[sum] = n
	l.order = append(l.order, sum)
	l.found++
	return n, nil
}

// Keep writes down what was found.
func (l *Bounds) Keep() error {
	if l.file == "" || l.found == 0 {
		return nil
	}
	var text strings.Builder
	for _, sum := range l.order[max(0, len(l.order)-mostBounds):] {
		fmt.Fprintln(&text, sum, l.known[sum])
	}
	if err := toolchain.WriteWhole(l.file, []byte(text.String())); err != nil {
		return fmt.Errorf("cache of sizes: %w", err)
	}
	return nil
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
