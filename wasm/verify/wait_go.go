//go:build !tinygo

package main

// wait is main: Go's exports work while it waits.
func wait() { select {} }
