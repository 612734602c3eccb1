package toolchain

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// module makes a checkout of one command that prints a word, and returns its root.
func module(t *testing.T, source string) string {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module example\n\ngo 1.26.0\n")
	write(t, filepath.Join(root, "hello", "main.go"), source)
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const hello = "package main\n\nfunc main() { println(\"six\", 2*3) }\n"

// run executes a compiled program in Node beside its wasm_exec.js.
func run(t *testing.T, execJS, wasm string) string {
	t.Helper()
	script := `require(process.argv[1]); const go = new Go();
WebAssembly.instantiate(require("fs").readFileSync(process.argv[2]), go.importObject).then((r) => go.run(r.instance));`
	cmd := exec.Command("node", "-e", script, execJS, wasm)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestBuildWASM(t *testing.T) {
	for _, name := range []string{"go", "tinygo"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("LLMSIZE_WASM", name)
			here, err := Root(".")
			if err != nil {
				t.Fatal(err)
			}
			c, err := FindCompiler(t.Context(), here)
			if err != nil {
				if name == "tinygo" {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			root := module(t, hello)
			opt := Options{Root: root, Compiler: c}
			out := filepath.Join(root, "dist", "hello.wasm")
			first, err := BuildWASM(t.Context(), "hello", out, opt)
			if err != nil {
				t.Fatal(err)
			}
			if first.Compiler != name || first.Cached || first.Raw == 0 {
				t.Errorf("first build: %+v", first)
			}
			if got := run(t, first.Exec, out); got != "six 6" {
				t.Errorf("the program prints %q, want %q", got, "six 6")
			}
			made, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := exec.Command("node", "-e", `const [file, pages] = process.argv.slice(1)
const module = new WebAssembly.Module(require("fs").readFileSync(file))
const any = (of) => new Proxy({}, { get: () => of })
const x = new WebAssembly.Instance(module, any(any(() => 0))).exports, memory = x.memory ?? x.mem
const left = pages - memory.buffer.byteLength / 65536
memory.grow(left)
try { memory.grow(1); console.log("one more") } catch (error) { console.log(error.name) }`, out, strconv.Itoa(MaxMemory/wasmPage)).CombinedOutput(); err != nil || string(got) != "RangeError\n" {
				t.Errorf("past its maximum the memory grows: %s (%v)", got, err)
			}
			second, err := BuildWASM(t.Context(), "hello", out, opt)
			if err != nil || !second.Cached {
				t.Errorf("nothing changed, yet it compiled again: %+v, %v", second, err)
			}
			write(t, filepath.Join(root, "hello", "main.go"), strings.Replace(hello, "2*3", "3*3", 1))
			third, err := BuildWASM(t.Context(), "hello", out, opt)
			if err != nil || third.Cached {
				t.Errorf("the source changed, yet it did not compile: %+v, %v", third, err)
			}
			if got := run(t, third.Exec, out); got != "six 9" {
				t.Errorf("after the change the program prints %q, want %q", got, "six 9")
			}
			// The bytes do not depend on the folder: hosts would otherwise give a name of its own to each build.
			opt.Root = module(t, hello)
			if _, err = BuildWASM(t.Context(), "hello", out, opt); err != nil {
				t.Fatal(err)
			}
			if again, err := os.ReadFile(out); err != nil || !bytes.Equal(again, made) {
				t.Errorf("two folders with the same source gave different programs (%v)", err)
			}
		})
	}
}

// TestOnlyExports: a library has its own functions for the page, and nothing of the allocator that the linker exports.
func TestOnlyExports(t *testing.T) {
	here, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := FindCompiler(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	if c.metaDCE == "" {
		t.Skip("there is no TinyGo with wasm-metadce")
	}
	root := module(t, "package main\n\n//go:wasmexport twice\nfunc twice(n int32) int32 { return 2 * n }\n\n//go:wasmexport thrice\nfunc thrice(n int32) int32 { return 3 * n }\n\nfunc main() {}\n")
	out := filepath.Join(root, "hello.wasm")
	if _, err := BuildWASM(t.Context(), "hello", out, Options{Root: root, Compiler: c}); err != nil {
		t.Fatal(err)
	}
	script := `const any = (of) => new Proxy({}, { get: () => of }); WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]), any(any(() => 0))).then(({ instance: { exports: x } }) => { x._initialize(); console.log(Object.keys(x).sort().join(" "), x.twice(7), x.thrice(7)) })`
	got, err := exec.Command("node", "-e", script, out).CombinedOutput()
	if want := "_initialize memory thrice twice 14 21\n"; err != nil || string(got) != want {
		t.Errorf("the library has %q, want %q (%v)", got, want, err)
	}
}

func TestPrograms(t *testing.T) {
	t.Setenv("LLMSIZE_WASM", "rust")
	if _, err := FindCompiler(t.Context(), "."); err == nil || !strings.Contains(err.Error(), "allowed: go, tinygo") {
		t.Errorf("unknown compiler: %v", err)
	}
	t.Setenv("LLMSIZE_WASM", "go")
	root := module(t, "package main\n\nfunc main() { none() }\n")
	_, err := BuildWASM(t.Context(), "hello", filepath.Join(root, "x.wasm"), Options{Root: root})
	if err == nil || !strings.Contains(err.Error(), "main.go:3") {
		t.Errorf("a compile error must name file and line: %v", err)
	}
	if _, err := BuildWASM(t.Context(), "../elsewhere", "x.wasm", Options{Root: root}); err == nil {
		t.Error("a folder outside the checkout was accepted")
	}
}

func TestCacheDir(t *testing.T) {
	for _, c := range []struct{ own, xdg, home, want string }{
		{"/a", "/b", "/c", "/a"},
		{"", "/b", "/c", "/b/llmsize"},
		{"", "", "/c", "/c/.cache/llmsize"},
		{"", "", "", "/root-of-checkout/.cache"},
	} {
		t.Setenv("LLMSIZE_CACHE", c.own)
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		if got := CacheDir("/root-of-checkout"); got != c.want {
			t.Errorf("LLMSIZE_CACHE=%q XDG_CACHE_HOME=%q HOME=%q: %q, want %q", c.own, c.xdg, c.home, got, c.want)
		}
	}
}

// TestWithMaximum refuses what is no module with one plain memory.
func TestWithMaximum(t *testing.T) {
	header := "\x00asm\x01\x00\x00\x00"
	for _, c := range []struct{ program, want string }{
		{header + "\x05\x03\x01\x00\x02", header + "\x05\x05\x01\x01\x02\x80\x20"},
		{header + "\x01\x01\x00\x05\x04\x01\x01\x02\x09\x0a\x01\x00", header + "\x01\x01\x00\x05\x05\x01\x01\x02\x80\x20\x0a\x01\x00"},
		{header, ""}, {"", ""}, {"\x00asm", ""},
		{header + "\x05\x7f\x01", ""},
		{header + "\x05\x03\x01\x00\xff", ""},
		{header + "\x05\x03\x02\x00\x02", ""},
		{header + "\x05\x04\x01\x00\x81\x20", ""}, // begins with more than it may have
	} {
		got, err := withMaximum([]byte(c.program), 4096)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q becomes %q, want %q (%v)", c.program, got, c.want, err)
		}
	}
}
