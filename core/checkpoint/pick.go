package checkpoint

import (
	"strings"

	"llmsize/core/fault"
	"llmsize/core/units"
)

// Pick finds the checkpoint among the names of a folder's files, which are in order: an index, one file of
// safetensors, all of a set without an index, or a GGUF file with its parts. It returns nothing where there is only a config.
func Pick(folder string, names []string) (files []string, err *fault.Error) {
	if x := preferred(ending(names, ".safetensors.index.json"), "model.safetensors.index.json"); x != "" {
		return []string{x}, nil
	}
	tensors := ending(names, ".safetensors")
	if x := preferred(tensors, "model.safetensors"); x != "" && !isPart(x) {
		return []string{x}, nil
	}
	for _, files := range [][]string{tensors, models(ending(names, ".gguf"))} {
		if len(files) == 0 {
			continue
		}
		set := partsOf(files, files[0])
		if len(set) != len(files) {
			return nil, choose(folder, files)
		}
		return set, missingPart(folder, set)
	}
	for _, e := range pickles {
		for _, n := range ending(names, e) {
			if n != "training_args.bin" && n != "optimizer.pt" && n != "scheduler.pt" {
				return nil, Pickle(join(folder, n))
			}
		}
	}
	if !has(names, "config.json") {
		return nil, &fault.Error{File: folder, Problem: "the folder holds no checkpoint and no config.json", Allowed: "safetensors, GGUF, or a config.json"}
	}
	return nil, nil
}

// models leaves out GGUF files of a projector, which people keep beside the model that they belong to: llama.cpp finds
// them by the same word (common/download.cpp). Where there is nothing else, they stay.
func models(files []string) (out []string) {
	for _, n := range files {
		if !strings.Contains(strings.ToLower(n), "mmproj") {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return files
	}
	return out
}

// pickles are endings of files that torch writes by pickling.
var pickles = []string{".bin", ".pt", ".pth", ".ckpt", ".pkl"}

// IsPickle reports whether a file's name ends like that of a pickle.
func IsPickle(name string) bool {
	for _, e := range pickles {
		if hasEnd(name, e) {
			return true
		}
	}
	return false
}

// Several are the names of which one has to be chosen, where a folder holds several checkpoints: of each set of
// parts its first. It is empty where [Pick] knows which to take.
func Several(names []string) []string {
	files := ending(names, ".safetensors.index.json")
	if len(files) == 0 {
		files = ending(names, ".safetensors")
	}
	if len(files) == 0 {
		files = models(ending(names, ".gguf"))
	}
	if _, err := Pick("", names); err == nil || len(files) < 2 {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for _, n := range files {
		stem, _, ok := part(n)
		if !ok || !seen[stem] {
			out = append(out, n)
		}
		seen[stem] = seen[stem] || ok
	}
	return out
}

// Parts lists the files of the set that a name is of, among names in order.
func Parts(folder string, names []string, one string) ([]string, *fault.Error) {
	set := partsOf(names, one)
	return set, missingPart(folder, set)
}

// Matches picks a GGUF file of a folder that has several: by its name, that of a set's part, or by how it ends ("Q4_K_M").
func Matches(name, file string) bool {
	low, want := strings.ToLower(name), strings.ToLower(file)
	if low == want || strings.HasSuffix(low, "/"+want) {
		return true
	}
	set, of, ok := part(low)
	if stem, n, part := part(want); part && ok && set == stem && n == of {
		return true
	}
	if ok {
		low = set
	}
	low, _ = cutEnd(low, ".gguf")
	return strings.HasSuffix(low, "-"+want) || strings.HasSuffix(low, "."+want) || strings.HasSuffix(low, "_"+want)
}

func hasEnd(name, end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }

// ending are the names that end so.
func ending(names []string, end string) (out []string) {
	for _, n := range names {
		if hasEnd(n, end) {
			out = append(out, n)
		}
	}
	return out
}

func has(names []string, one string) bool {
	for _, n := range names {
		if n == one {
			return true
		}
	}
	return false
}

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return strings.TrimRight(folder, "/") + "/" + name
}

// preferred is the one of a list that has the usual name, or its only one.
func preferred(list []string, usual string) string {
	if has(list, usual) {
		return usual
	}
	if len(list) == 1 {
		return list[0]
	}
	return ""
}

// part reads NAME-00002-of-00005.END.
func part(name string) (stem string, of int64, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 15 || name[dot-9:dot-5] != "-of-" || name[dot-15] != '-' {
		return "", 0, false
	}
	for i := dot - 14; i < dot; i++ {
		if c := name[i]; (c < '0' || c > '9') && (i < dot-9 || i >= dot-5) {
			return "", 0, false
		}
	}
	for _, c := range name[dot-5 : dot] {
		of = of*10 + int64(c-'0')
	}
	return name[:dot-15] + name[dot:], of, true
}

func isPart(name string) bool { _, n, ok := part(name); return ok && n > 1 }

// partsOf lists the files of the set that one is of; itself alone where it is of none.
func partsOf(names []string, one string) []string {
	stem, of, ok := part(one)
	if !ok {
		return []string{one}
	}
	var set []string
	for _, n := range names {
		if s, k, ok := part(n); ok && s == stem && k == of {
			set = append(set, n)
		}
	}
	return set
}

// missingPart is the fault of a set that is not whole.
func missingPart(folder string, set []string) *fault.Error {
	if len(set) == 0 {
		return nil
	}
	_, of, ok := part(set[0])
	if !ok || of == int64(len(set)) {
		return nil
	}
	for i := int64(1); i <= of; i++ {
		dot := strings.LastIndexByte(set[0], '.')
		want := set[0][:dot-14] + pad(i) + set[0][dot-9:]
		if !has(set, want) {
			return &fault.Error{File: join(folder, set[0]), Given: want, Problem: "the file is one of " + units.Itoa(of) + ", and another of them is not there", Hint: "fetch it into the same folder"}
		}
	}
	return nil
}

// pad writes a part's number in five digits.
func pad(n int64) string {
	s := units.Itoa(n)
	return strings.Repeat("0", max(5-len(s), 0)) + s
}

// choose is the fault of a folder with several checkpoints.
func choose(folder string, files []string) *fault.Error {
	shown := files[:min(len(files), 12)]
	list := strings.Join(shown, ", ")
	if len(files) > len(shown) {
		list += ", …"
	}
	return &fault.Error{File: folder, Problem: "the folder holds several checkpoints", Allowed: list, Hint: "name one of them"}
}
