package toolchain

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestTinyGoSums: every platform that a release is fetched for has a checksum, and one version.
func TestTinyGoSums(t *testing.T) {
	row := regexp.MustCompile(`^(\d+\.\d+\.\d+) (?:((?:linux|darwin)-(?:amd64|arm64)) [0-9a-f]{64}|(module) h1:[A-Za-z0-9+/]{43}=)$`)
	seen := map[string]string{}
	for line := range strings.Lines(sums) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a row: %q", line)
			continue
		}
		seen[m[2]+m[3]] = m[1]
	}
	for _, platform := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		if v := seen[platform]; v == "" || v != seen["linux-amd64"] {
			t.Errorf("%s has version %q", platform, v)
		}
	}
	if seen["module"] == "" {
		t.Error("the module has no checksum")
	}
}

// program puts a program that says what a script says into a folder.
func program(t *testing.T, path, script string) {
	t.Helper()
	write(t, path, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestTinyGoVersion: a TinyGo of another version is not taken, and it is said why.
func TestTinyGoVersion(t *testing.T) {
	dir := t.TempDir()
	program(t, filepath.Join(dir, "bin", "tinygo"), `case $1 in version) echo "tinygo version 0.40.9 linux/amd64 (using go version go1.26.8)";; env) echo `+dir+`;; esac`)
	write(t, filepath.Join(dir, "targets", "wasm_exec.js"), "")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	t.Setenv("LLMSIZE_CACHE", t.TempDir())
	t.Setenv("LLMSIZE_WASM", "")
	c, err := FindCompiler(t.Context(), ".")
	if err != nil || c.Name != "go" || !strings.Contains(c.Lost, "0.40.9") {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("LLMSIZE_WASM", "tinygo")
	if _, err := FindCompiler(t.Context(), "."); err == nil || !strings.Contains(err.Error(), "0.40.9") {
		t.Errorf("LLMSIZE_WASM=tinygo: %v", err)
	}
	for said, want := range map[string]bool{
		"tinygo version 0.41.1 linux/amd64": true, "tinygo version 0.41.0 darwin/arm64 (using …)": true, "tinygo version 0.41.10 linux/amd64": false,
		"tinygo version 0.41.1-dev linux/amd64": false, "0.41.1": false, "tinygo version ": false, "tinygo version # x": false, "": false,
	} {
		if pinned(said) != want {
			t.Errorf("%q is pinned: %v, want %v", said, !want, want)
		}
	}
}

// TestTinyGoScript gives the script an archive: with the checksum that is pinned it is installed, with
// another nothing of it runs.
func TestTinyGoScript(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the archive of this test is for linux-amd64")
	}
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	program(t, filepath.Join(dir, "tinygo", "bin", "tinygo"), "echo x >>"+ran+"; echo 'tinygo version 9.8.7 linux/amd64'")
	archive := filepath.Join(dir, "archive.tar.gz")
	if out, err := exec.Command("tar", "-czf", archive, "-C", dir, "tinygo").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	right := hex.EncodeToString(sum[:])
	script, err := os.ReadFile("tinygo.sh")
	if err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(dir, "net", "curl"), `while [ $# -gt 0 ]; do [ "$1" = -o ] && cp `+archive+` "$2"; shift; done`)
	for _, c := range []struct {
		name, sums, path string
		works            bool
		says             string
	}{
		{"the checksum is right", "9.8.7 linux-amd64 " + right, "", true, "tinygo version 9.8.7"},
		{"the checksum is another", "9.8.7 linux-amd64 " + strings.Repeat("0", 64), "", false, "checksum of tinygo9.8.7.linux-amd64.tar.gz is " + right},
		{"the platform has none", "9.8.7 darwin-arm64 " + right, "", false, "no release for linux-amd64"},
		{"the archive holds another version", "9.8.6 linux-amd64 " + right, "", false, "does not run here"},
		{"another version is on the PATH", "9.8.7 linux-amd64 " + right, "tinygo version 9.9.9 linux/amd64", true, "left alone: tinygo version 9.9.9"},
		{"this version is on the PATH", "9.8.7 linux-amd64 " + strings.Repeat("0", 64), "tinygo version 9.8.7 linux/amd64", true, "is on the PATH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			os.Remove(ran)
			top := t.TempDir()
			at := filepath.Join(top, "build", "toolchain", "tinygo.sh")
			write(t, at, string(script))
			write(t, filepath.Join(top, "build", "toolchain", "tinygo.sums"), c.sums+"\n")
			path := filepath.Join(dir, "net") + ":" + os.Getenv("PATH")
			if c.path != "" {
				program(t, filepath.Join(top, "on", "tinygo"), "echo '"+c.path+"'")
				path = filepath.Join(top, "on") + ":" + path
			}
			cmd := exec.Command("bash", at, "--release-only")
			cmd.Env = append(os.Environ(), "PATH="+path, "LLMSIZE_CACHE="+filepath.Join(top, "cache"))
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			if works := err == nil && len(out) > 0; works != c.works || !strings.Contains(said.String(), c.says) {
				t.Errorf("works: %v (%v), prints %q, says\n%s", works, err, out, said.String())
			}
			if _, err := os.Stat(ran); strings.Contains(c.name, "checksum is another") && !errors.Is(err, os.ErrNotExist) {
				t.Error("the archive's program was run")
			}
			if left, _ := filepath.Glob(filepath.Join(top, "cache", "tinygo.*")); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

// TestDeployNeedsTinyGo: the host publishes no programs of fifteen times the size that nobody asked for.
func TestDeployNeedsTinyGo(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program(t, filepath.Join(dir, "curl"), "exit 22")
	program(t, filepath.Join(dir, "tinygo"), "exit 1")
	for _, c := range []struct {
		compiler string
		works    bool
		says     string
	}{{"", false, "LLMSIZE_WASM=go"}, {"tinygo", false, "LLMSIZE_WASM=go"}, {"go", true, "build: go"}} {
		// In place of make, which would build the site, a word.
		cmd := exec.Command("make", "--no-print-directory", "deploy", "MAKE=echo build: $$LLMSIZE_WASM #")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "LLMSIZE_CACHE="+filepath.Join(dir, "none"), "LLMSIZE_WASM="+c.compiler)
		out, err := cmd.CombinedOutput()
		if (err == nil) != c.works || !strings.Contains(string(out), c.says) {
			t.Errorf("LLMSIZE_WASM=%q: %v\n%s", c.compiler, err, out)
		}
	}
}
