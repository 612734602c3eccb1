package assets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// browsers are the oldest that the site is built for: WebAssembly streaming, modules with
// import(), :has() and dialog are in all of them.
var browsers = []api.Engine{
	{Name: api.EngineChrome, Version: "111"},
	{Name: api.EngineFirefox, Version: "121"},
	{Name: api.EngineSafari, Version: "16.4"},
}

// bundler runs esbuild into one Set.
type bundler struct {
	in  Input
	set *Set
}

// run bundles entry points of a folder; split makes shared and lazily imported parts files of their own.
func (b bundler) run(folder string, entries []string, split bool) error {
	if len(entries) == 0 {
		return nil
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	options := api.BuildOptions{
		AbsWorkingDir:     folder,
		Outdir:            "out",
		EntryNames:        "[name]-[hash]",
		ChunkNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		PublicPath:        Folder,
		Bundle:            true,
		Splitting:         split,
		Format:            api.FormatESModule,
		Engines:           browsers,
		Metafile:          true,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
		Loader:            map[string]api.Loader{".svg": api.LoaderFile, ".woff2": api.LoaderFile},
		Plugins:           []api.Plugin{b.plugin()},
	}
	if b.in.Modules != "" {
		options.NodePaths = []string{b.in.Modules}
	}
	if !split && strings.HasSuffix(entries[0], ".js") {
		options.Format = api.FormatIIFE // a classic script or worker
	}
	for _, name := range entries {
		options.EntryPoints = append(options.EntryPoints, "./"+name)
	}
	result := api.Build(options)
	if err := problems(folder, append(result.Errors, result.Warnings...)); err != nil {
		return err
	}
	var meta metafile
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return fmt.Errorf("esbuild's list of outputs: %w", err)
	}
	b.set.mu.Lock()
	defer b.set.mu.Unlock()
	for _, file := range result.OutputFiles {
		relative, err := filepath.Rel(folder, file.Path)
		if err != nil {
			return err
		}
		url := Folder + filepath.Base(file.Path)
		b.set.files[url] = file.Contents
		if entry := meta.Outputs[filepath.ToSlash(relative)].EntryPoint; slices.Contains(entries, entry) {
			b.set.names[entry] = url
		}
	}
	if split {
		for path, output := range meta.Outputs {
			if output.EntryPoint != "" {
				b.set.needs[output.EntryPoint] = meta.needs(nil, path)
			}
		}
	}
	return nil
}

// metafile is what esbuild says of the files that it wrote.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string `json:"entryPoint"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

// needs adds the addresses of a module and of all that it can't run without.
func (m *metafile) needs(to []string, path string) []string {
	url := Folder + filepath.Base(path)
	if slices.Contains(to, url) {
		return to
	}
	to = append(to, url)
	for _, i := range m.Outputs[path].Imports {
		if i.Kind == "import-statement" {
			to = m.needs(to, i.Path)
		}
	}
	return to
}

// plugin answers asset: and generated: imports.
func (b bundler) plugin() api.Plugin {
	return api.Plugin{Name: "assets", Setup: func(build api.PluginBuild) {
		mark := func(space string) func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: strings.TrimPrefix(args.Path, space+":"), Namespace: space}, nil
			}
		}
		build.OnResolve(api.OnResolveOptions{Filter: "^asset:"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind != api.ResolveCSSURLToken {
				// One for each importer: an address that several scripts name would be a file of its own, and a request.
				found, err := mark("asset")(args)
				found.Path += "?" + filepath.Base(args.Importer)
				return found, err
			}
			url, err := b.set.URL(strings.TrimPrefix(args.Path, "asset:"))
			return api.OnResolveResult{Path: url, External: true}, err
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "asset"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			name, _, _ := strings.Cut(args.Path, "?")
			url, err := b.set.URL(name)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			contents := fmt.Sprintf("export default %q", url)
			return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJS}, nil
		})
		build.OnResolve(api.OnResolveOptions{Filter: "^generated:"}, mark("generated"))
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "generated"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			contents, ok := b.in.Generated[args.Path]
			if !ok {
				return api.OnLoadResult{}, fmt.Errorf("the generator writes no file %q", args.Path)
			}
			loader := api.LoaderCSS
			if strings.HasSuffix(args.Path, ".js") {
				loader = api.LoaderJS
			}
			return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
		})
	}}
}

// problems turns esbuild's messages into one error. Warnings count: they are mistakes that a
// browser would swallow.
func problems(folder string, messages []api.Message) error {
	var all []error
	for _, m := range messages {
		if m.Location == nil {
			all = append(all, errors.New(m.Text))
			continue
		}
		all = append(all, fmt.Errorf("%s:%d: %s", filepath.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder), m.Location.File), m.Location.Line, m.Text))
	}
	return errors.Join(all...)
}

// findWorkers lists the scripts that run in workers.
func findWorkers(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("scripts: %w", err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".worker.js") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

var styleImport = regexp.MustCompile(`"asset:([\w.-]+\.css)"`)

// lateStyles lists the stylesheets that scripts load on use.
func lateStyles(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.js"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range styleImport.FindAllSubmatch(source, -1) {
			if name := string(m[1]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// MinifyScript shortens a classic script that stands by itself.
func MinifyScript(name string, source []byte) ([]byte, error) {
	result := api.Transform(string(source), api.TransformOptions{
		Sourcefile: name, Loader: api.LoaderJS, Engines: browsers, LogLevel: api.LogLevelSilent, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
	})
	if err := problems(name, append(result.Errors, result.Warnings...)); err != nil {
		return nil, err
	}
	return result.Code, nil
}

// MinifyStyle shortens a stylesheet that stands by itself.
func MinifyStyle(name string, source []byte) ([]byte, error) {
	result := api.Transform(string(source), api.TransformOptions{
		Sourcefile: name, Loader: api.LoaderCSS, Engines: browsers, LogLevel: api.LogLevelSilent, MinifyWhitespace: true, MinifySyntax: true,
	})
	if err := problems(name, append(result.Errors, result.Warnings...)); err != nil {
		return nil, err
	}
	return result.Code, nil
}
