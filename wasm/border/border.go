// Package border is how texts cross a program's border: arguments are put into its memory before a call, and what a call
// results in stands there after it. Package program says how a host drives it.
package border

import "unsafe"

var (
	arguments [][]byte // put since the last call
	result    string   // of the last call; kept so that it stays where it is
)

// argument makes room for the next argument of n bytes and returns where.
//
//go:wasmexport argument
func argument(n int32) unsafe.Pointer {
	b := make([]byte, n+1) // one more, so that even an empty argument has a place
	arguments = append(arguments, b[:n])
	return unsafe.Pointer(&b[0])
}

// length is the number of bytes of the last result.
//
//go:wasmexport length
func length() int32 { return int32(len(result)) }

// Give makes a text the result of the call that is on, and returns where it stands.
func Give(text string) unsafe.Pointer {
	result = text
	return unsafe.Pointer(unsafe.StringData(text))
}

// Put is how many arguments were put since the last call.
func Put() int { return len(arguments) }

// Argument is the argument that was put as number i, as it was put; nothing where there is none.
func Argument(i int) []byte {
	if i < 0 || i >= len(arguments) {
		return nil
	}
	return arguments[i]
}

// Taken says that the call has its arguments: the next one begins with none.
func Taken() { arguments = nil }
