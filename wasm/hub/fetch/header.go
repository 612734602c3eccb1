package fetch

import (
	"errors"
	"io"

	"llmsize/core/checkpoint"
)

// pieceSize is how much of a header is read at once.
const pieceSize = 64 << 10

// ReadHeader reads one file's header into the list: pieces from its start on, leaving
// out what the reader does not look at. size is -1 when it is not known. Errors
// of the reader are *fault.Error.
func ReadHeader(l *checkpoint.List, name string, size int64, from io.ReaderAt) error {
	r := checkpoint.NewReader(l, name, size)
	buf := make([]byte, pieceSize)
	for !r.Done() {
		if n := r.Skip(); n > pieceSize {
			r.Skipped(n)
		}
		at := r.Pos()
		want := int64(len(buf))
		if need := r.Need() - at; need > 0 && need < want {
			want = max(need, 512)
		}
		n, err := from.ReadAt(buf[:want], at)
		if fail := r.Write(buf[:n]); fail != nil {
			return fail
		}
		switch {
		case r.Done():
		case errors.Is(err, io.EOF) || err == nil && n == 0:
			if fail := r.End(); fail != nil {
				return fail
			}
		case err != nil:
			return err
		}
	}
	return nil
}
