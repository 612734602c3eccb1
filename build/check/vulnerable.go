package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const govulncheckVersion = "v1.9.0"

// vulnerable looks for known faults in the modules of go.mod and in Go's library, as far as this
// code calls them.
func (a *audit) vulnerable(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "govulncheck-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	install := exec.CommandContext(ctx, "go", "install", "golang.org/x/vuln/cmd/govulncheck@"+govulncheckVersion)
	install.Dir, install.Env = dir, append(os.Environ(), "GOBIN="+dir)
	if out, err := install.CombinedOutput(); err != nil {
		return skip{"govulncheck cannot be had: " + last(out, err)}
	}
	check := exec.CommandContext(ctx, filepath.Join(dir, "govulncheck"), "./...")
	check.Dir = a.root
	out, err := check.CombinedOutput()
	return judged(out, err)
}

// judged is what govulncheck's end means: 0 nothing found, 3 something; 1 also where its database is out of reach.
func judged(out []byte, err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == 3:
		return fmt.Errorf("%s", out)
	case strings.Contains(string(out), "fetching vulnerabilities:"):
		return skip{"the database of faults is out of reach: " + last(out, err)}
	}
	return fmt.Errorf("%w\n%s", err, out)
}
