//go:build !tinygo

package border

// Wait is a program's main: Go's exports work while it waits. TinyGo's program is
// a library, whose exports need no main.
func Wait() { select {} }
