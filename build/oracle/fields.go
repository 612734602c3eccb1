package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"llmsize/core/family"
	"llmsize/core/family/families"
)

// fieldLines is core/family/families/fields.txt: for each family file what its class lets keys hold, as far as the file's own
// key lines, or a family above it, do not say so already.
func fieldLines(dir string) (string, error) {
	takes, free, err := libraryTakes(dir)
	if err != nil {
		return "", err
	}
	lib := families.Library()
	usual := map[string]string{}
	for _, line := range family.Usual {
		letters, names, _ := strings.Cut(line, " ")
		for _, name := range strings.Fields(names) {
			usual[name] = letters
		}
	}
	said := map[string]map[string]string{} // by file, with what is above it
	lines := map[string][]string{}
	var visit func(file string) error
	visit = func(file string) error {
		if said[file] != nil {
			return nil
		}
		types := lib.TypesOf(file)
		ask := file
		if len(types) > 0 {
			ask = types[0]
		}
		f, fail := lib.DeclaredIn(file)
		if fail != nil {
			return fmt.Errorf("%s: %w", ask, fail)
		}
		now := map[string]string{}
		for _, up := range f.Above {
			if err := visit(up); err != nil {
				return err
			}
			maps.Copy(now, said[up])
		}
		own := map[string][]string{}
		if want := common(types, takes); want != nil {
			keys := map[string]*family.Declaration{}
			for i := range f.Keys {
				d := &f.Keys[i]
				for _, name := range append([]string{d.Name}, d.Aliases...) {
					keys[name] = d
				}
			}
			for _, name := range slices.Sorted(maps.Keys(now)) { // above it, and not here
				if want[name] == "" && now[name] != "-" {
					own["-"] = append(own["-"], name)
				}
			}
			for _, name := range free[types[0]] {
				if usual[name] != "" && now[name] != "-" && !slices.Contains(own["-"], name) {
					own["-"] = append(own["-"], name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if want[name] == "dn" && strings.HasSuffix(name, "_config") {
					continue // a part: submodel lines take nothing else
				}
				if above := cmp.Or(now[name], usual[name]); above != want[name] && (above != "" || keys[name] == nil || !implied(keys[name], want[name])) {
					own[want[name]] = append(own[want[name]], name)
				}
			}
		}
		for _, letters := range slices.Sorted(maps.Keys(own)) {
			for _, name := range own[letters] {
				now[name] = letters
			}
			lines[file] = append(lines[file], file+" "+letters+" "+strings.Join(own[letters], " ")+"\n")
		}
		said[file] = now
		return nil
	}
	var b strings.Builder
	b.WriteString("# What configuration classes of transformers take, beside what the families say: go run ./build family -fields\n")
	for _, file := range families.Names() {
		if err := visit(file); err != nil {
			return "", err
		}
		b.WriteString(strings.Join(lines[file], ""))
	}
	return b.String(), nil
}

// implied reports whether all that a family lets a key hold is what its class does, too.
func implied(d *family.Declaration, letters string) bool {
	if d.Each != "" || d.Type == "any" || letters[0] == 'p' {
		return false
	}
	null := d.Optional || d.Null != "" || d.Default != "" && !strings.ContainsAny(d.Default[:1], `"[-0123456789`) && !slices.Contains([]string{"true", "false", "null"}, d.Default)
	need := map[string]string{"size": "i", "count": "i", "int": "i", "bool": "b", "float": "if", "str": "s", "list": "]"}[d.Type]
	if null {
		need += "n"
	}
	plain := strings.ReplaceAll(letters, "[]", "]") // a list of anything
	if i := strings.IndexAny(plain, "['"); i >= 0 {
		plain = ""
	}
	for _, c := range need {
		if !strings.ContainsRune(plain, c) {
			return false
		}
	}
	return true
}

// common is what the classes of several types say alike, nil where no type has a class.
func common(types []string, takes map[string]map[string]string) map[string]string {
	var out map[string]string
	for _, t := range types {
		of, ok := takes[t]
		switch {
		case !ok:
		case out == nil:
			out = maps.Clone(of)
		default:
			maps.DeleteFunc(out, func(name, letters string) bool { return of[name] != letters })
		}
	}
	return out
}

// libraryTakes are the letters of each key of each type, as build/oracle/changes.py wrote them down, and the keys that a class has and holds to
// nothing.
func libraryTakes(dir string) (takes map[string]map[string]string, free map[string][]string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "defaults.txt"))
	if err != nil {
		return nil, nil, err
	}
	free = map[string][]string{}
	all := map[string]map[string]string{}
	typ, of := "", map[string]string(nil)
	for line := range strings.Lines(string(text)) {
		switch f := strings.Split(strings.TrimSpace(line), "\t"); f[0] {
		case "type":
			of = map[string]string{}
			all[f[1]], typ = of, f[1]
		case "key":
			free[typ] = append(free[typ], f[1])
		case "takes":
			if f[1] == "-" {
				free[typ] = append(free[typ], strings.Fields(f[2])...)
				continue
			}
			for _, name := range strings.Fields(f[2]) {
				if of[name] = f[1]; strings.Contains(name, "dropout") && strings.HasPrefix(f[1], "fi") {
					of[name] = "p" + f[1] // no class says so of its field; torch's module does
				}
			}
			free[typ] = slices.DeleteFunc(free[typ], func(name string) bool { return of[name] != "" })
		}
	}
	return all, free, nil
}
