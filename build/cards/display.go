package cards

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"codeberg.org/go-fonts/stix/stix2textsemibold"
)

// displayed are the characters that the display face has.
const displayed = " 0123456789.,:;-()?/'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ’“”–×·=µ"

//go:embed display.mjs
var cutScript string

// Display makes the site's display face: STIX Two Text SemiBold, the letters of the cards, cut to what headings and large
// figures are set in, as woff2. Other letters are taken from the system's serif. It needs Node; what was made once is kept in cache, which may be empty.
func Display(nodeModules, cache string) ([]byte, error) {
	key := sha256.Sum256([]byte(cutScript + displayed + string(stix2textsemibold.TTF)))
	kept := filepath.Join(cache, "display-"+hex.EncodeToString(key[:8])+".woff2")
	if cache != "" {
		if data, err := os.ReadFile(kept); err == nil {
			return data, nil
		}
	}
	source, err := os.CreateTemp("", "display-*.otf")
	if err != nil {
		return nil, fmt.Errorf("display face: %w", err)
	}
	defer os.Remove(source.Name())
	defer source.Close()
	if _, err := source.Write(stix2textsemibold.TTF); err != nil {
		return nil, fmt.Errorf("display face: %w", err)
	}
	command := exec.Command("node", "--input-type=module", "--eval", cutScript, source.Name())
	command.Dir = filepath.Dir(nodeModules)
	command.Stdin = strings.NewReader(displayed)
	var complaints strings.Builder
	command.Stderr = &complaints
	data, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("cut the display face: %w: %s", err, strings.TrimSpace(complaints.String()))
	}
	if cache != "" {
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return nil, fmt.Errorf("display face: %w", err)
		}
		if err := os.WriteFile(kept, data, 0o644); err != nil {
			return nil, fmt.Errorf("display face: %w", err)
		}
	}
	return data, nil
}
