package check

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestVulnerable(t *testing.T) {
	for _, c := range []struct {
		script  string
		skipped bool
		says    string
	}{
		{`echo "No vulnerabilities found."`, false, ""},
		{`echo "Vulnerability #1: GO-2026-0001"; exit 3`, false, "GO-2026-0001"},
		{`echo "govulncheck: fetching vulnerabilities: Get index: no such host"; exit 1`, true, "out of reach"},
		{`echo "govulncheck: loading packages: broken.go:1:1: expected package"; exit 1`, false, "expected package"},
		{`exit 2`, false, "exit status 2"},
	} {
		err := judged(exec.Command("sh", "-c", c.script).CombinedOutput())
		var skipped skip
		if errors.As(err, &skipped) != c.skipped || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.script, err)
		}
	}
}
