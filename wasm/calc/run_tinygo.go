//go:build tinygo

package main

func main() {}
