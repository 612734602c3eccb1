package check

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

const vnuVersion = "26.9.27"

// vnu runs the W3C's checker over all of dist/.
func (a *audit) vnu(ctx context.Context) error {
	java, err := exec.LookPath("java")
	if err != nil {
		return skip{"no Java here (apt-get install default-jre-headless)"}
	}
	pkg, err := a.npm(ctx, "vnu-jar", vnuVersion)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, java, "-jar", filepath.Join(pkg, "build", "dist", "vnu.jar"),
		"--errors-only", "--skip-non-html", "--also-check-svg", a.dist).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s", out)
	}
	return err
}
