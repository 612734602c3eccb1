// Package accuracy sets the engine beside what others have measured: it writes docs/accuracy.md (main.go), and it fits the
// constants of content/engines to measured runs (calibrate.go).
package accuracy
