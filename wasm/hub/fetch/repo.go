package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"llmsize/core/checkpoint"
	"llmsize/core/config"
	"llmsize/core/fault"
)

// Limits of what a repository is asked for.
const (
	atOnce   = 8         // headers that are on their way
	firstAsk = 64 << 10  // bytes of a header that are asked for before its length is known
	ahead    = 2 << 20   // bytes of a header that are held until it is its turn
	maxList  = 32 << 20  // bytes of a repository's list of files
	maxWhole = 512 << 20 // bytes that are read of a server that ignores Range
)

// Repository is a model's checkpoint on the hub, without its weights.
type Repository struct {
	Ref    Ref    // with the commit for its revision, once the hub has said it
	Config []byte // nil when there is none
	List   *checkpoint.List
}

// Progress is told of headers that are in.
type Progress func(done, of int)

// Checkpoint reads a repository's config, its index and the headers of its files. file picks
// one of several GGUF files; it may be empty. patience is how long one answer may take. A config that is not
// there is no error, nor is a checkpoint that is not there where there is a config: List is nil then.
func (h Hub) Checkpoint(ctx context.Context, ref Ref, file string, patience time.Duration, progress Progress) (*Repository, error) {
	r := &Repository{Ref: ref}
	within := func(f func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		return f(ctx)
	}
	pin := func(commit string) { r.Ref = r.Ref.At(commit) }
	err := within(func(ctx context.Context) error {
		text, commit, err := h.Config(ctx, ref)
		r.Config = text
		pin(commit)
		return err
	})
	var missing error
	if isMissing(err) {
		missing = err
	} else if err != nil {
		return nil, err
	}
	files := []string{}
	var index *checkpoint.Index
	if file == "" {
		x := checkpoint.NewIndex("model.safetensors.index.json")
		err := within(func(ctx context.Context) error {
			commit, err := h.stream(ctx, r.Ref, x.Name, func(resp *http.Response) error { return copyIndex(x, resp.Body) })
			pin(commit)
			return err
		})
		switch {
		case err == nil:
			index, files = x, slices.Sorted(slices.Values(x.Files))
		case !isMissing(err):
			return r, err
		}
	}
	list := &checkpoint.List{}
	if index == nil {
		if file == "" {
			err := within(func(ctx context.Context) error { return h.header(ctx, r.Ref, "model.safetensors", list, nil) })
			switch {
			case err == nil:
				if err := list.Finish(); err != nil {
					return r, err
				}
				r.List = list
				return r, nil
			case !isMissing(err):
				return r, err
			}
			list = &checkpoint.List{}
		}
		var names []string
		err := within(func(ctx context.Context) error {
			var commit string
			var err error
			names, commit, err = h.Files(ctx, r.Ref)
			pin(commit)
			return err
		})
		if err != nil {
			if missing != nil && isMissing(err) {
				return nil, missing
			}
			if r.Config != nil && isMissing(err) {
				return r, nil
			}
			return r, err
		}
		if file != "" {
			names = slices.DeleteFunc(names, func(n string) bool { return !checkpoint.Matches(n, file) })
			if len(names) == 0 {
				return r, &fault.Error{File: r.Ref.String(), Given: file, Problem: "the repository has no such file"}
			}
		}
		slices.Sort(names)
		picked, fail := checkpoint.Pick(r.Ref.String(), names)
		if fail != nil {
			return r, fail
		}
		if files = picked; len(files) == 0 {
			return r, nil
		}
		if strings.HasSuffix(files[0], ".index.json") {
			index = checkpoint.NewIndex(files[0])
			if err := within(func(ctx context.Context) error {
				_, err := h.stream(ctx, r.Ref, index.Name, func(resp *http.Response) error { return copyIndex(index, resp.Body) })
				return err
			}); err != nil {
				return r, err
			}
			files = slices.Sorted(slices.Values(index.Files))
		}
	}
	if err := h.headers(ctx, r.Ref, files, list, patience, progress); err != nil {
		var e *Error
		if index != nil && errors.As(err, &e) && e.Kind == KindNotFound {
			e.Message += " " + index.Name + " names it."
		}
		return r, err
	}
	if err := list.Finish(); err != nil {
		return r, err
	}
	if index != nil {
		if err := index.Check(list); err != nil {
			return r, err
		}
	}
	r.List = list
	return r, nil
}

// isMissing reports whether an error says that a file is not there.
func isMissing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == KindNotFound && e.File
}

func copyIndex(x *checkpoint.Index, from io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if fail := x.Write(buf[:n]); fail != nil {
			return fail
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if fail := x.End(); fail != nil {
		return fail
	}
	return nil
}

// Files lists the names of a repository's files, and says at which commit, empty where the hub does not.
func (h Hub) Files(ctx context.Context, ref Ref) (names []string, commit string, err error) {
	address := strings.TrimRight(h.Base, "/") + "/api/models/" + ref.Owner + "/" + ref.Name + "/revision/" + url.PathEscape(ref.Revision)
	_, err = h.ask(ctx, ref, "list of files", address, "", func(resp *http.Response) error {
		text, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
		if err != nil {
			return err
		}
		info, bad := config.ParseObject(string(text)) // encoding/json would be a tenth of the page's program
		if bad != nil {
			return &Error{Kind: KindNotJSON, Message: "The hub's list of the files of " + ref.String() + " cannot be read; it begins with " + strconv.Quote(string(text[:min(20, len(text))])) + ".", Hint: "Try again later, or paste the config.json here."}
		}
		commit = info.Get("sha").Text
		siblings := info.Get("siblings")
		for _, s := range siblings.Items {
			if name := s.Get("rfilename"); name.Kind == config.String {
				names = append(names, name.Text)
			}
		}
		return nil
	})
	return names, commit, err
}

// headers reads the headers of several files, atOnce of them on their way. The list takes them in
// their order, so that the answer is the same every time.
func (h Hub) headers(ctx context.Context, ref Ref, files []string, list *checkpoint.List, patience time.Duration, progress Progress) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type begun struct {
		first *opening
		err   error
	}
	answers := make([]chan begun, len(files))
	for i := range answers {
		answers[i] = make(chan begun, 1)
	}
	room := make(chan struct{}, atOnce)
	go func() {
		for i, name := range files {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return
			}
			go func() {
				ctx, cancel := context.WithTimeout(ctx, patience)
				defer cancel()
				o, err := h.open(ctx, ref, name)
				answers[i] <- begun{o, err}
			}()
		}
	}()
	for i, name := range files {
		a := <-answers[i]
		err := a.err
		if err == nil {
			ctx, cancel := context.WithTimeout(ctx, patience)
			err = h.header(ctx, ref, name, list, a.first)
			cancel()
		}
		<-room
		if err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	return nil
}

// opening is the first bytes of a file.
type opening struct {
	bytes  []byte
	size   int64 // of the file; -1 when the server does not say
	whole  bool  // the server ignores Range: more is had only by reading on
	commit string
}

// open gets a file's first bytes: all of its header, unless that is long.
func (h Hub) open(ctx context.Context, ref Ref, name string) (*opening, error) {
	o := &opening{size: -1}
	more, err := h.piece(ctx, ref, name, 0, firstAsk, o)
	o.bytes = more
	if err != nil || o.whole {
		return o, err
	}
	if n := headerLength(o.bytes); n > int64(len(o.bytes)) && n <= ahead && len(o.bytes) == firstAsk {
		more, err := h.piece(ctx, ref, name, int64(len(o.bytes)), n-int64(len(o.bytes)), o)
		o.bytes = append(o.bytes, more...)
		return o, err
	}
	return o, nil
}

// headerLength is where a safetensors header ends, by its first bytes.
func headerLength(b []byte) int64 {
	if len(b) < 8 || string(b[:4]) == "GGUF" {
		return 0
	}
	n := int64(0)
	for i := 6; i >= 0; i-- {
		n = n<<8 | int64(b[i])
	}
	return 8 + n
}

// piece gets n bytes from at on; fewer where the file ends.
func (h Hub) piece(ctx context.Context, ref Ref, name string, at, n int64, o *opening) ([]byte, error) {
	var out []byte
	commit, err := h.ask(ctx, ref, name, ref.file(h.Base, name), "bytes="+strconv.FormatInt(at, 10)+"-"+strconv.FormatInt(at+n-1, 10), func(resp *http.Response) error {
		if resp.StatusCode == http.StatusOK {
			o.whole = true
			if resp.ContentLength >= 0 {
				o.size = resp.ContentLength
			}
			if at > maxWhole {
				return tooLarge(ref, name, maxWhole)
			}
			if _, err := io.CopyN(io.Discard, resp.Body, at); err != nil { // it sends everything: read past what has arrived
				return err
			}
		} else if size, ok := total(resp.Header.Get("Content-Range"), at); ok {
			o.size = size
		} else {
			return &Error{Kind: KindStatus, Message: "The server of " + ref.String() + " sent another part of " + name + " than was asked for.", Hint: "Try again later, or paste the config.json here."}
		}
		var err error
		out, err = io.ReadAll(io.LimitReader(resp.Body, n))
		return err
	})
	o.commit = commit
	return out, err
}

// Part is a piece of a file.
type Part struct {
	Bytes  []byte
	Size   int64 // of the file; -1 when the server does not say
	Commit string
}

// Piece gets n bytes of a file from at on; fewer where the file ends. A server that ignores Range is
// read up to there, and no further.
func (h Hub) Piece(ctx context.Context, ref Ref, name string, at, n int64) (Part, error) {
	o := opening{size: -1}
	b, err := h.piece(ctx, ref, name, at, n, &o)
	var e *Error
	if errors.As(err, &e) && e.Kind == KindOffline && ctx.Err() == nil { // it stopped halfway
		o = opening{size: -1}
		b, err = h.piece(ctx, ref, name, at, n, &o)
	}
	return Part{Bytes: b, Size: o.size, Commit: o.commit}, err
}

// total reads "bytes 0-99/1234": the size, -1 where it is "*", when the part begins where it should.
func total(s string, at int64) (int64, bool) {
	s, ok := strings.CutPrefix(s, "bytes ")
	span, size, ok2 := strings.Cut(s, "/")
	from, _, ok3 := strings.Cut(span, "-")
	n, err := strconv.ParseInt(from, 10, 64)
	if !ok || !ok2 || !ok3 || err != nil || n != at {
		return 0, false
	}
	if size == "*" {
		return -1, true
	}
	k, err := strconv.ParseInt(size, 10, 64)
	return k, err == nil && k >= 0
}

// header reads one header, from what has arrived of it.
func (h Hub) header(ctx context.Context, ref Ref, name string, list *checkpoint.List, first *opening) error {
	if first == nil {
		var err error
		if first, err = h.open(ctx, ref, name); err != nil {
			return err
		}
	}
	if first.whole {
		return h.whole(ctx, ref, name, list, first.size)
	}
	r := checkpoint.NewReader(list, name, first.size)
	if err := r.Write(first.bytes); err != nil {
		return err
	}
	for !r.Done() {
		r.Skipped(r.Skip())
		at := r.Pos()
		if first.size >= 0 && at >= first.size {
			return end(r)
		}
		n := min(max(r.Need()-at, firstAsk), ahead)
		b, err := h.piece(ctx, ref, name, at, n, first)
		if err != nil {
			return err
		}
		if first.whole {
			return &Error{Kind: KindStatus, Message: "The server of " + ref.String() + " sends parts of " + name + " once and the whole file another time.", Hint: "Try again later."}
		}
		if err := r.Write(b); err != nil {
			return err
		}
		if len(b) == 0 && !r.Done() {
			return end(r)
		}
	}
	return nil
}

func end(r *checkpoint.Reader) error {
	if err := r.End(); err != nil {
		return err
	}
	return nil
}

// whole reads a header from a server that ignores Range: as it comes, and not a byte further.
func (h Hub) whole(ctx context.Context, ref Ref, name string, list *checkpoint.List, size int64) error {
	_, err := h.stream(ctx, ref, name, func(resp *http.Response) error {
		r := checkpoint.NewReader(list, name, size)
		buf := make([]byte, 64<<10)
		for !r.Done() {
			n, err := resp.Body.Read(buf)
			if fail := r.Write(buf[:n]); fail != nil {
				return fail
			}
			if err == io.EOF {
				return end(r)
			}
			if err != nil {
				return err
			}
			if r.Pos() > maxWhole {
				return tooLarge(ref, name, maxWhole)
			}
		}
		return nil
	})
	return err
}
