package maths

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

//go:embed entry.js
var entry string

//go:embed live.js
var liveEntry string

// fontRanges are the parts of the font that formulas here may draw from. The whole font
// is 11 MB of outlines; these are what mathematics in English needs, Latin letters with
// accents in \text among them.
var fontRanges = []string{
	"accents", "arrows", "calligraphic", "double-struck", "fraktur", "latin", "marrows", "math",
	"monospace", "mshapes", "sans-serif", "script", "shapes", "symbols", "variants",
}

const fontPackage = "@mathjax/mathjax-newcm-font"

// bundle joins an entry script, MathJax and the font ranges that it asks for into one script that needs no module loader.
func bundle(nodeModules, entry string) (string, error) {
	result := api.Build(api.BuildOptions{
		Stdin:       &api.StdinOptions{Contents: entry, ResolveDir: filepath.Dir(nodeModules), Sourcefile: "entry.js"},
		Bundle:      true,
		Format:      api.FormatIIFE,
		Target:      api.ES2017, // what goja runs
		Platform:    api.PlatformNeutral,
		NodePaths:   []string{nodeModules},
		MainFields:  []string{"module", "main"},
		Conditions:  []string{"import"},
		LogLevel:    api.LogLevelSilent,
		TreeShaking: api.TreeShakingTrue,
		// Identifiers stay: goja's stack names them, and nobody downloads this script.
		MinifySyntax:     true,
		MinifyWhitespace: true,
		Plugins:          []api.Plugin{rangesPlugin(nodeModules)},
	})
	if len(result.Errors) > 0 {
		var all []error
		for _, message := range result.Errors {
			all = append(all, errors.New(message.Text))
		}
		return "", fmt.Errorf("bundle MathJax from %s (is `npm ci` done?): %w", nodeModules, errors.Join(all...))
	}
	return string(result.OutputFiles[0].Contents), nil
}

// rangesPlugin answers the import "font-ranges" with a module that imports each chosen
// range by its path: the font package does not export them by name.
func rangesPlugin(nodeModules string) api.Plugin {
	return api.Plugin{Name: "font-ranges", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^font-ranges$"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: args.Path, Namespace: "font-ranges"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "font-ranges"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			var b strings.Builder
			for _, name := range fontRanges {
				fmt.Fprintf(&b, "import %q;\n", filepath.Join(nodeModules, fontPackage, "mjs/svg/dynamic", name+".js"))
			}
			names, err := json.Marshal(fontRanges)
			contents := b.String() + "export default " + string(names)
			return api.OnLoadResult{Contents: &contents, ResolveDir: nodeModules}, err
		})
	}}
}

// versions reads what installed packages call themselves; they are part of every cache key.
func versions(nodeModules string, packages ...string) (string, error) {
	var all []string
	for _, name := range packages {
		data, err := os.ReadFile(filepath.Join(nodeModules, name, "package.json"))
		if err != nil {
			return "", fmt.Errorf("%s is not installed, run `npm ci`: %w", name, err)
		}
		var p struct{ Version string }
		if err := json.Unmarshal(data, &p); err != nil {
			return "", fmt.Errorf("%s/package.json: %w", name, err)
		}
		all = append(all, name+"@"+p.Version)
	}
	return strings.Join(all, " "), nil
}
