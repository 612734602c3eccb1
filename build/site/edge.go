package site

import (
	"encoding/json"
	"fmt"
)

// edgePath is the file from which the host's edge function learns where the files of this build are.
const edgePath = "/edge.json"

// edge writes it. A build without TinyGo has no program for the edge: links then show pages as they were built.
func (b *Builder) edge(out *Output, url func(string) (string, error)) error {
	if !b.unfurls {
		return nil
	}
	files := map[string]string{}
	for key, name := range map[string]string{"program": "edge.wasm", "devices": "devices.json"} {
		address, err := url(name)
		if err != nil {
			return fmt.Errorf("%s: %w", edgePath, err)
		}
		files[key] = address
	}
	data, err := json.Marshal(files) // sorted by key
	if err != nil {
		return err
	}
	out.Files[edgePath] = data
	return nil
}
