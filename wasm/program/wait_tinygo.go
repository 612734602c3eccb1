//go:build tinygo

package program

// Wait is a program's main, which a library does not run.
func Wait() {}
