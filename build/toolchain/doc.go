// Package toolchain finds and runs the programs that the build does not contain:
// the Go and TinyGo compilers, wasm-opt, and a browser.
//
// # WebAssembly
//
// BuildWASM compiles one command for the page. It takes TinyGo where there is one, because its
// files are about a fifteenth of Go's, and plain Go otherwise; both give programs that answer with the same
// bytes. What was compiled once is kept by the hash of all that went in, so a second build costs
// one look at the source files. The wasm_exec.js beside a program must come from the compiler that made it.
//
//	LLMSIZE_WASM=go      plain Go, even where TinyGo is there
//	LLMSIZE_WASM=tinygo  TinyGo, or an error
//
// # A browser
//
// FindBrowser looks at $CHROME, then for an installed Chrome or Chromium, then at the one that
// the npm packages bring, and last at apt. Package browser starts what it finds.
//
// # Two caches
//
// CacheDir is the machine's: TinyGo and the unpacked browser are large, slow to get and the same for
// every checkout, so that a fresh clone finds them. What follows from this checkout's own files
// (compiled WebAssembly) lies in .cache at its root, and goes with it.
package toolchain
