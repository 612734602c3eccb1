//go:build !tinygo

package main

// main never ends: Go's exports work while it waits. TinyGo's program is a
// library, whose exports need no main.
func main() { select {} }
