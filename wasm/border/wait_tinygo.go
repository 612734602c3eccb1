//go:build tinygo

package border

// Wait is a program's main, which a library does not run.
func Wait() {}
