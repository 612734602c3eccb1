package toolchain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// MaxMemory is the most memory that a program may have, in bytes: the page drops one that has
// passed 64 MB, and the worst question that is known takes some 50 more (build/bench). A program that wants more
// is stopped by the browser, not the browser by the program.
const MaxMemory = 256 << 20

// wasmPage is what memory is counted in.
const wasmPage = 64 << 10

// limitMemory sets the maximum of a program's own memory.
func limitMemory(file string, most int64) error {
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if program, err = withMaximum(program, uint64(most/wasmPage)); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, program, 0o644)
}

var errNotWasm = errors.New("this is not a WebAssembly module with a memory of its own")

// withMaximum rewrites the memory section: a list of one memory, its flags, its least pages and, with the first flag, its most.
func withMaximum(program []byte, most uint64) ([]byte, error) {
	const header, memorySection = 8, 5
	if len(program) < header || string(program[:4]) != "\x00asm" {
		return nil, errNotWasm
	}
	for at := header; at < len(program); {
		size, n := binary.Uvarint(program[at+1:])
		from := at + 1 + n
		if n <= 0 || size > uint64(len(program)-from) {
			return nil, errNotWasm
		}
		end := from + int(size)
		if program[at] != memorySection {
			at = end
			continue
		}
		body := program[from:end]
		if len(body) < 3 || body[0] != 1 || body[1] > 1 {
			return nil, errNotWasm // several memories, or a shared one
		}
		least, n := binary.Uvarint(body[2:])
		if n <= 0 {
			return nil, errNotWasm
		}
		if least > most {
			return nil, fmt.Errorf("the program begins with %d pages of memory, and %d are the most", least, most)
		}
		section := binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, least), most)
		out := append([]byte{}, program[:at+1]...)
		out = append(binary.AppendUvarint(out, uint64(len(section))), section...)
		return append(out, program[end:]...), nil
	}
	return nil, errNotWasm
}
