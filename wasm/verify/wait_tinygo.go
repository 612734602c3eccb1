//go:build tinygo

package main

// wait is main, which TinyGo's library does not run.
func wait() {}
