package toolchain

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// The host reads netlify.toml, other tools .go-version. With less than three numbers the host goes on with a version of its own.
func TestPinnedVersions(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	pinned, err := os.ReadFile(filepath.Join(root, ".go-version"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Build struct {
			Command, Publish string
			Environment      map[string]string
		}
	}
	if _, err := toml.DecodeFile(filepath.Join(root, "netlify.toml"), &c); err != nil {
		t.Fatal(err)
	}
	full := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	for _, name := range []string{"GO_VERSION", "NODE_VERSION"} {
		if v := c.Build.Environment[name]; !full.MatchString(v) {
			t.Errorf("%s is %q, want three numbers", name, v)
		}
	}
	if a, b := strings.TrimSpace(string(pinned)), c.Build.Environment["GO_VERSION"]; a != b {
		t.Errorf(".go-version says %s, netlify.toml %s", a, b)
	}
	if c.Build.Publish != "dist" || c.Build.Command == "" {
		t.Errorf("the host runs %q and publishes %q", c.Build.Command, c.Build.Publish)
	}
}

// The lock file works with any registry only while it names none.
func TestLockNamesNoHost(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(filepath.Join(root, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(lock), `"resolved"`) {
		t.Error("package-lock.json names where packages come from: write it with the project's .npmrc")
	}
	if n := strings.Count(string(lock), `"integrity": "sha512-`); n < 50 {
		t.Errorf("%d checksums, want one for each package", n)
	}
}

// TestHostedCheck: TinyGo may be missing, but no failed test is lost, nor one of the minute that follows.
func TestHostedCheck(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fails, runs string
		status      int
	}{{"none", "tinygo test fuzz-minute", 0}, {"tinygo", "tinygo test fuzz-minute", 0}, {"test", "tinygo test", 7}, {"fuzz-minute", "tinygo test fuzz-minute", 7}} {
		dir := t.TempDir()
		program(t, filepath.Join(dir, "make"), `echo "$1" >>"`+dir+`/ran"; [ "$1" != `+c.fails+` ] || exit 7`)
		cmd := exec.Command(filepath.Join(root, ".ci", "run"))
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput()
		ran, err := os.ReadFile(filepath.Join(dir, "ran"))
		if got := strings.Join(strings.Fields(string(ran)), " "); err != nil || got != c.runs || cmd.ProcessState.ExitCode() != c.status {
			t.Errorf("%s fails: ran %q, exit %d, want %q, %d\n%s", c.fails, got, cmd.ProcessState.ExitCode(), c.runs, c.status, out)
		}
	}
}
