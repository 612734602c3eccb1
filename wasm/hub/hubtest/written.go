package hubtest

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Written is a checkpoint that a real writer made (core/checkpoint/testdata/written.txt, by build/oracle/checkpoints.py):
// headers alone, behind which the files read as zeros.
type Written struct {
	Name    string
	Verdict string // and the differences, as "extra; extra scale"
	// Class is how many elements the config's class has, as torch counts them.
	Class int64
	Files map[string]File // config.json among them
}

// ReadWritten reads the list of them.
func ReadWritten(text string) ([]Written, error) {
	var out []Written
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch f[0] {
		case "case":
			n, err := strconv.ParseInt(f[4], 10, 64)
			if err != nil {
				return nil, err
			}
			out = append(out, Written{strings.ReplaceAll(f[1], "'", ""), strings.TrimSuffix(f[2]+"; "+f[3], "; "), n, map[string]File{}})
		case "config":
			out[len(out)-1].Files["config.json"] = File{Head: []byte(f[1])}
		case "file":
			size, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				return nil, err
			}
			packed, err := base64.StdEncoding.DecodeString(f[3])
			if err != nil {
				return nil, err
			}
			z, err := zlib.NewReader(bytes.NewReader(packed))
			if err != nil {
				return nil, err
			}
			head, err := io.ReadAll(z)
			if err != nil {
				return nil, err
			}
			out[len(out)-1].Files[f[1]] = File{Head: head, Size: size}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no checkpoints")
	}
	return out, nil
}
