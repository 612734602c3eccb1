package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"llmsize/core/query"
)

// edgePath is the file from which the host's edge functions learn where the files of this build are, and what a link means that does not say it.
const edgePath = "/edge.json"

// kitName is the file that they paint cards with. Nobody else loads it.
const kitName = "edge-kit.bin"

// unnamed are the parts of a question that scripts have to know although a link does not name them.
var unnamed = []query.Param{query.Model, query.Device, query.Context}

// defaults is what they are then, as a module for the page's scripts.
func defaults() string {
	var b strings.Builder
	for _, p := range unnamed {
		fmt.Fprintf(&b, "export const %s = %q;\n", query.About(p).Name, query.About(p).Default)
	}
	return b.String()
}

// askedKeys is what every key of a question means, as a module for the script that says so beside the fields.
func askedKeys() string {
	meanings := map[string]string{}
	for p := range query.NumParams {
		meanings[query.About(p).Name] = query.Meaning(p)
	}
	data, err := json.Marshal(meanings)
	if err != nil {
		panic(err) // texts can be written as JSON
	}
	return "export const meanings = " + string(data) + ";\n"
}

// edge writes it. A build without TinyGo has no program for the edge: links then show pages as they were built.
func (b *Builder) edge(out *Output, url func(string) (string, error)) error {
	if !b.unfurls {
		return nil
	}
	files := map[string]string{}
	sum := sha256.New()
	for _, f := range [...][2]string{{"program", "edge.wasm"}, {"devices", "devices.json"}, {"kit", kitName}} {
		address, err := url(f[1])
		if err != nil {
			return fmt.Errorf("%s: %w", edgePath, err)
		}
		files[f[0]] = address
		fmt.Fprintln(sum, address)
	}
	for _, p := range unnamed {
		files[query.About(p).Name] = query.About(p).Default
	}
	// Who shows a link keeps its picture by the address: one that another program paints has another one.
	files["build"] = hex.EncodeToString(sum.Sum(nil)[:4])
	data, err := json.Marshal(files) // sorted by key
	if err != nil {
		return err
	}
	out.Files[edgePath] = data
	return nil
}
