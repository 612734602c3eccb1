package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// denoVersion is of the runtime in which the host runs edge functions. Its npm package is a program of 35 MB,
// packed, so only this check gets it.
const denoVersion = "2.9.6"

// links are asked of both functions: a dense model and the largest, as they are and changed, in every lens, and
// what cannot be answered.
var links = []string{
	"v=1", "v=1&context=32k", "v=1&model=deepseek-v3&context=32k", "v=1&model=deepseek-v3&device=hgx-h100-8&devices=2",
	"v=1&model=gpt2&set.n_layer=24&vs=llama-3.1-8b", "v=1&optimizer=muon&zero=3&dp=8", "v=1&model=gpt2&set.model_type=gpt_neo",
	"v=1&set.hidden_size=%3Cscript%3E", "v=1&model=none", "%", "v=1&context=" + strings.Repeat("9", 9000),
}

// asked is what a function makes of a link.
type asked struct {
	Status  int
	Sent    map[string]string
	HTML    string
	Picture []byte
	CPU     float64
}

// edge runs the host's edge functions in the host's runtime: they say what they say in Node, where the tests hold
// them against the core.
func (a *audit) edge(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(a.dist, "edge.json")); err != nil {
		return skip{"this build has no program for the edge (make tinygo)"}
	}
	deno, err := a.deno(ctx)
	if err != nil {
		return err
	}
	type request struct {
		Path string `json:"path"`
	}
	var list []request
	for _, link := range links {
		list = append(list, request{"/?" + link}, request{"/answer.png?" + link})
	}
	in, err := json.Marshal(list)
	if err != nil {
		return err
	}
	script := filepath.Join(a.root, "site", "testdata", "edge.mjs")
	want, err := a.atEdge(ctx, in, "node", script)
	if err != nil {
		return err
	}
	// What the host allows: the network, and nothing of the machine but the functions' own files.
	got, err := a.atEdge(ctx, in, deno, "run", "--no-config", "--no-lock", "--allow-net", "--allow-read="+a.root, script)
	if err != nil {
		return err
	}
	var problems []error
	for i, r := range list {
		if err := same(&got[i], &want[i]); err != nil {
			problems = append(problems, fmt.Errorf("%.80s: %w", r.Path, err))
		}
	}
	fmt.Printf("edge: %d requests in Deno %s, %.0f ms of processor time for the first, %.0f at most\n", len(got), denoVersion, got[0].CPU, most(got))
	return errors.Join(problems...)
}

// deno is the runtime: of the PATH, else from npm.
func (a *audit) deno(ctx context.Context) (string, error) {
	if path, err := exec.LookPath("deno"); err == nil {
		return path, nil
	}
	pkg, err := a.npm(ctx, "deno", denoVersion)
	if err != nil {
		return "", err
	}
	// The program is in a package of its own for each system, of which npm gets the one that fits.
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(pkg), "@deno", "*", "deno*"))
	for _, path := range found {
		if name := filepath.Base(path); name == "deno" || name == "deno.exe" {
			return path, os.Chmod(path, 0o755)
		}
	}
	return "", skip{"npm has no Deno for this system"}
}

// atEdge runs the functions for some requests.
func (a *audit) atEdge(ctx context.Context, in []byte, name string, args ...string) ([]asked, error) {
	cmd := exec.CommandContext(ctx, name, append(args, a.site)...)
	cmd.Stdin = bytes.NewReader(in)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, said.String())
	}
	var answer struct{ Out []asked }
	return answer.Out, json.Unmarshal(text, &answer)
}

// same reports how two answers differ. Runtimes pack pictures differently: their pixels are compared.
func same(got, want *asked) error {
	switch {
	case got.Status != want.Status:
		return fmt.Errorf("status %d, in Node %d", got.Status, want.Status)
	case got.HTML != want.HTML:
		return errors.New("the page is not that of Node")
	case fmt.Sprint(got.Sent) != fmt.Sprint(want.Sent):
		return fmt.Errorf("headers %v, in Node %v", got.Sent, want.Sent)
	case len(want.Picture) == 0:
		return nil
	}
	a, err := png.Decode(bytes.NewReader(got.Picture))
	if err != nil {
		return err
	}
	b, err := png.Decode(bytes.NewReader(want.Picture))
	if err != nil {
		return err
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Errorf("a picture of %v, in Node %v", a.Bounds(), b.Bounds())
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return fmt.Errorf("the pictures differ at %d, %d", x, y)
			}
		}
	}
	return nil
}

func most(list []asked) (ms float64) {
	for i := range list {
		ms = max(ms, list[i].CPU)
	}
	return ms
}
