// Command lenses is the program that answers in every lens: recipes of weights,
// caches as engines lay them out, FLOPs, training. The page loads it after calc has
// answered a reader's question, or for a question that calc cannot answer. Package program says how it is driven.
package main

import "llmsize/wasm/program"

func init() { program.Lenses() }

func main() { program.Wait() }
