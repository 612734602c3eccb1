package fetch

import (
	"net/url"
	"strings"
)

// Ref names a model on the hub at a revision.
type Ref struct {
	Owner, Name string
	Revision    string // branch, tag or commit; never empty
}

// ParseFile is Parse for what may name one of a model's files too: owner/name:Q4_K_M, owner/name/file.gguf,
// the address of a GGUF file's page. file is empty where it does not ([checkpoint.Matches] says what it picks).
func ParseFile(text string) (ref Ref, file string, err error) {
	id := strings.TrimPrefix(strings.TrimSpace(text), "hf:")
	if head, rest, ok := strings.Cut(id, "://"); ok {
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		parts := strings.SplitN(rest, "/", 6) // host, owner, name, "blob", revision, file
		if len(parts) == 6 && (parts[3] == "blob" || parts[3] == "resolve") && strings.HasSuffix(strings.ToLower(parts[5]), ".gguf") {
			id, file = head+"://"+strings.Join(parts[:5], "/"), parts[5]
		}
	} else if i := strings.LastIndexByte(id, ':'); i > 0 {
		id, file = id[:i], id[i+1:]
	} else if parts := strings.SplitN(id, "/", 3); len(parts) == 3 && strings.HasSuffix(strings.ToLower(parts[2]), ".gguf") {
		id, file = parts[0]+"/"+parts[1], parts[2]
	}
	ref, err = Parse(id)
	return ref, file, err
}

const maxName = 96 // the hub's own limit for each part

// Parse reads what someone types or pastes: "owner/name", "owner/name@revision", or the address of the model's page.
// The error is of kind KindID.
func Parse(text string) (Ref, error) {
	id := strings.TrimSpace(text)
	revision := "main"
	if _, rest, ok := strings.Cut(id, "://"); ok {
		_, path, _ := strings.Cut(rest, "/")
		path, _, _ = strings.Cut(path, "?")
		path, _, _ = strings.Cut(path, "#")
		parts := strings.SplitN(strings.Trim(path, "/"), "/", 4)
		if len(parts) == 4 && parts[2] == "tree" {
			revision = parts[3]
		} else if len(parts) == 4 && (parts[2] == "blob" || parts[2] == "resolve") {
			revision, _, _ = strings.Cut(parts[3], "/") // of a file
		}
		id = strings.Join(parts[:min(2, len(parts))], "/")
	} else if before, after, ok := strings.Cut(id, "@"); ok {
		id, revision = before, after
	}
	owner, name, ok := strings.Cut(id, "/")
	switch {
	case id == "":
		return Ref{}, badID(text, "it is empty")
	case !ok:
		return Ref{}, badID(text, "the owner is missing")
	case strings.Contains(name, "/"):
		return Ref{}, badID(text, "it has more than two parts")
	}
	for _, part := range []string{owner, name} {
		if why := badPart(part); why != "" {
			return Ref{}, badID(text, why)
		}
	}
	if revision == "" || strings.ContainsAny(revision[:1], "./") || strings.Contains(revision, "..") || strings.ContainsFunc(revision, notInRevision) {
		return Ref{}, badID(text, "the revision is not the name of a branch, tag or commit")
	}
	return Ref{Owner: owner, Name: name, Revision: revision}, nil
}

func badID(text, why string) *Error {
	return &Error{
		Kind:    KindID,
		Message: "\"" + strings.TrimSpace(text) + "\" does not name a model on the hub: " + why + ".",
		Hint:    "Write owner/name, with letters, digits and - _ . in each part, for example Qwen/Qwen3-8B.",
	}
}

func badPart(part string) string {
	switch {
	case part == "":
		return "a part is empty"
	case len(part) > maxName:
		return "a part is longer than 96 characters"
	case strings.ContainsFunc(part, notInName):
		return "it has a character that no name has"
	case strings.ContainsAny(part[:1], "-.") || strings.ContainsAny(part[len(part)-1:], "-."):
		return "a part begins or ends with - or ."
	case strings.Contains(part, "--") || strings.Contains(part, ".."):
		return "-- and .. are not allowed"
	case strings.HasSuffix(part, ".git"):
		return "names do not end in .git"
	}
	return ""
}

func notInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.')
}

func notInRevision(r rune) bool { return notInName(r) && r != '/' }

// String is the form that Parse reads: "owner/name", with the revision where it is not main.
func (r Ref) String() string {
	if r.Revision == "main" {
		return r.Owner + "/" + r.Name
	}
	return r.Owner + "/" + r.Name + "@" + r.Revision
}

// At is the model at a commit that the hub has said; unchanged for what isn't a commit.
func (r Ref) At(commit string) Ref {
	if len(commit) == 40 && !strings.ContainsFunc(commit, func(c rune) bool { return !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') }) {
		r.Revision = commit
	}
	return r
}

// file is the address of one of the model's files, below the hub at base.
func (r Ref) file(base, name string) string {
	// A revision such as refs/pr/1 is one part of the path.
	return strings.TrimRight(base, "/") + "/" + r.Owner + "/" + r.Name + "/resolve/" + url.PathEscape(r.Revision) + "/" + name
}
