package chart

// KindName is what sets a kind of layer apart, in words: a family's label
// "window 4096, moe true" is the variables that differ and their values.
func KindName(label string) string {
	out := ""
	for i := 0; i <= len(label); {
		j := i
		for j < len(label) && label[j] != ',' {
			j++
		}
		part := label[i:j]
		for part != "" && part[0] == ' ' {
			part = part[1:]
		}
		if s := kindPart(part); s != "" {
			if out != "" {
				out += ", "
			}
			out += s
		}
		i = j + 1
	}
	return out
}

// kindWords are what variables mean whose names say little to a reader. Layers
// that use another's weights or keys are told apart from those that hold them.
var kindWords = [...][2]string{
	{"no first", ""},
	{"again", "weights used again"}, {"no again", "weights held here"},
	{"stores", "weights held here"}, {"no stores", ""},
	{"shared null", "own keys and values"},
}

// kindPart says one variable: a flag by its name, "whole context" for a window of 0, else both.
func kindPart(s string) string {
	for _, x := range kindWords {
		if s == x[0] {
			return x[1]
		}
	}
	i := 0
	for i < len(s) && s[i] != ' ' {
		i++
	}
	name := make([]byte, i)
	for j := range name {
		if name[j] = s[j]; name[j] == '_' {
			name[j] = ' '
		}
	}
	if i == len(s) {
		return string(name)
	}
	switch string(name) {
	case "owner": // which layer holds the weights: the table of tensors says so
		return ""
	case "shared":
		return "keys and values of another layer"
	}
	switch value := s[i+1:]; value {
	case "0", "null":
		if string(name) == "window" {
			return "whole context"
		}
		return "no " + string(name)
	case "true":
		return string(name)
	case "false":
		return "no " + string(name)
	default:
		return string(name) + " " + value
	}
}
