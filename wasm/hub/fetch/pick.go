package fetch

import (
	"slices"
	"strconv"
	"strings"

	"llmsize/core/checkpoint"
	"llmsize/core/fault"
)

// Pick finds the checkpoint among the names of a folder's files: an index,
// one file of safetensors, all of a set without an index, or a GGUF file
// with its parts. It returns nothing where there is only a config.
func Pick(folder string, names []string) ([]string, error) {
	names = slices.Sorted(slices.Values(names))
	end := func(e string) (out []string) {
		for _, n := range names {
			if strings.HasSuffix(strings.ToLower(n), e) {
				out = append(out, n)
			}
		}
		return out
	}
	if x := preferred(end(".safetensors.index.json"), "model.safetensors.index.json"); x != "" {
		return []string{x}, nil
	}
	tensors := end(".safetensors")
	if x := preferred(tensors, "model.safetensors"); x != "" && !isPart(x) {
		return []string{x}, nil
	}
	if len(tensors) > 0 {
		if set := partsOf(tensors, tensors[0]); len(set) == len(tensors) {
			return set, missingPart(folder, set)
		}
		return nil, choose(folder, tensors)
	}
	if files := end(".gguf"); len(files) > 0 {
		set := partsOf(files, files[0])
		if len(set) != len(files) {
			return nil, choose(folder, files)
		}
		return set, missingPart(folder, set)
	}
	for _, e := range []string{".bin", ".pt", ".pth", ".ckpt", ".pkl"} {
		for _, n := range end(e) {
			if n != "training_args.bin" && n != "optimizer.pt" && n != "scheduler.pt" {
				return nil, checkpoint.Pickle(join(folder, n))
			}
		}
	}
	if !slices.Contains(names, "config.json") {
		return nil, &fault.Error{File: folder, Problem: "the folder holds no checkpoint and no config.json", Allowed: "safetensors, GGUF, or a config.json"}
	}
	return nil, nil
}

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return strings.TrimRight(folder, "/") + "/" + name
}

// preferred is the one of a list that has the usual name, or its only one.
func preferred(list []string, usual string) string {
	if slices.Contains(list, usual) {
		return usual
	}
	if len(list) == 1 {
		return list[0]
	}
	return ""
}

// part reads NAME-00002-of-00005.END.
func part(name string) (stem string, of int, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 15 || name[dot-9:dot-5] != "-of-" || name[dot-15] != '-' {
		return "", 0, false
	}
	of, err := strconv.Atoi(name[dot-5 : dot])
	_, err2 := strconv.Atoi(name[dot-14 : dot-9])
	return name[:dot-15] + name[dot:], of, err == nil && err2 == nil
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
func missingPart(folder string, set []string) error {
	_, of, ok := part(set[0])
	if !ok || of == len(set) {
		return nil
	}
	for i := 1; i <= of; i++ {
		dot := strings.LastIndexByte(set[0], '.')
		want := set[0][:dot-14] + pad(i) + set[0][dot-9:]
		if !slices.Contains(set, want) {
			return &fault.Error{File: join(folder, set[0]), Given: want, Problem: "the file is one of " + strconv.Itoa(of) + ", and another of them is not there", Hint: "fetch it into the same folder"}
		}
	}
	return nil
}

func pad(n int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(5-len(s), 0)) + s
}

// Parts lists the files of the set that a name is of.
func Parts(folder string, names []string, one string) ([]string, error) {
	set := partsOf(slices.Sorted(slices.Values(names)), one)
	return set, missingPart(folder, set)
}

// choose is the fault of a folder with several checkpoints.
func choose(folder string, files []string) error {
	shown := files[:min(len(files), 12)]
	list := strings.Join(shown, ", ")
	if len(files) > len(shown) {
		list += ", …"
	}
	return &fault.Error{File: folder, Problem: "the folder holds several checkpoints", Allowed: list, Hint: "name one of them"}
}
