package oracle_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestChanges: beside a version whose defaults are known, another one's types that appeared or went and its
// defaults that moved are named; the kept file says nothing of itself, and of none nothing has appeared.
func TestChanges(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const program = `
import pathlib, changes
known = {"llama": {"hidden_size": "4096", "mlp_bias": "false"}, "went": {"a": "1"}}
later = {"llama": {"hidden_size": "2048", "head_dim": "128"}, "came": {"b": "2"}}
for line in [*changes.moved(known, later), "-", *changes.moved({}, later), "-"]: print(line)
changes.FILE = pathlib.Path("../../core/family/testdata/defaults.txt")
kept = changes.read()
print(len(kept) > 800, kept["llama"]["hidden_size"], *changes.moved(kept, changes.read()))`
	run := exec.Command(python, "-B", "-c", program)
	run.Env = append(run.Environ(), "PYTHONIOENCODING=utf-8")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "appeared: came|gone: went|llama.head_dim: no key → 128|llama.hidden_size: 4096 → 2048|llama.mlp_bias: false → no key|-|-|True 4096"
	if got := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
