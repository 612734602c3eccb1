// Command explain is the program that also explains a difference: between two
// answers, and between an answer and a number that a reader has. It answers all that
// wasm/lenses answers, and takes its place when somebody asks for one of these: the
// rules of thumb and the comparisons are a sixth of it. Package program says how it
// is driven.
package main

import "llmsize/wasm/program"

func init() { program.Explain() }

func main() { program.Wait() }
