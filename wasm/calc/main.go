// Command calc is the program that is loaded with the page: it answers for
// parameters. Package program says how it is driven.
package main

import "llmsize/wasm/program"

func init() { program.Calc() }

func main() { program.Wait() }
