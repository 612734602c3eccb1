// Package fetch gets a model's config.json from the model hub, and says in plain words why it could not.
//
// It is the part of the hub program that has no browser in it: the client is an interface, so the
// package is tested natively against a server with the hub's paths.
package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"llmsize/core/fault"
)

// Client sends requests: httputil's in a browser, http.Client's in tests.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

// MaxConfig is how many bytes a config.json may have. The longest known ones, with a quantization entry for
// every layer, stay under one tenth of it.
const MaxConfig = 10 << 20

// Hub is where models come from.
type Hub struct {
	Client Client
	Base   string // "https://huggingface.co"
	Token  string // sent to Base alone; empty for what everybody may read
	// Max is the largest answer in bytes; 0 means MaxConfig.
	Max int64
}

// Config gets the config.json of a model, and the commit that it is of where the hub says so. Errors are of type
// *Error. The deadline is the context's.
//
// The text is an object in braces, not proved to be JSON: published files hold Infinity and NaN, which JSON
// lacks and the counting core reads. The core has the last word, with the place in the text.
func (h Hub) Config(ctx context.Context, ref Ref) (body []byte, commit string, err error) {
	limit := h.Max
	if limit == 0 {
		limit = MaxConfig
	}
	commit, err = h.stream(ctx, ref, "config.json", func(resp *http.Response) error {
		if resp.ContentLength > limit {
			return tooLarge(ref, "config.json", limit)
		}
		var err error
		body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
		if err == nil && int64(len(body)) > limit {
			err = tooLarge(ref, "config.json", limit)
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	text := bytes.TrimSpace(body)
	if len(text) == 0 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, "", &Error{
			Kind:    KindNotJSON,
			Message: "The hub's config.json of " + ref.String() + " is not a JSON object; it begins with " + strconv.Quote(string(text[:min(20, len(text))])) + ".",
			Hint:    "Look at the file on the model's page.",
		}
	}
	return body, commit, nil
}

// stream asks for a file and hands its answer to read. It returns the commit that the answer is of,
// where the hub says so. A busy hub is asked again, as long as the context lets it.
func (h Hub) stream(ctx context.Context, ref Ref, name string, read func(*http.Response) error) (commit string, err error) {
	return h.ask(ctx, ref, name, ref.file(h.Base, name), "", read)
}

// ask sends one request; part is a Range header's value, empty for the whole.
func (h Hub) ask(ctx context.Context, ref Ref, name, address, part string, read func(*http.Response) error) (commit string, err error) {
	resp, err := h.send(ctx, ref, address, part)
	if err != nil {
		return "", err
	}
	// A read does not see the context end; closing the body ends the transfer, and the read with it.
	stop := context.AfterFunc(ctx, func() { resp.Body.Close() })
	defer stop()
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK && !(part != "" && resp.StatusCode == http.StatusPartialContent) {
		return "", refused(ref, name, resp)
	}
	err = read(resp)
	var own *Error
	var bad *fault.Error
	switch {
	case errors.As(err, &own), errors.As(err, &bad):
		return "", err
	case ctx.Err() != nil: // the closed body may look like a regular end
		return "", unreachable(ctx, ref, ctx.Err())
	case err != nil:
		return "", unreachable(ctx, ref, err)
	}
	return resp.Header.Get("X-Repo-Commit"), nil
}

// ErrEndless is what a client returns that has been redirected too often. A browser does not tell it from other failures.
var ErrEndless = errors.New("it redirects without end")

// tries is how often a busy hub is asked, and lost how often one that cannot be reached.
const tries, lost = 4, 3

// send sends a request, again after a while when the hub is busy (429, 502, 503, 504) or cannot be reached.
func (h Hub) send(ctx context.Context, ref Ref, address, part string) (*http.Response, error) {
	wait := 250 * time.Millisecond
	for try := 1; ; try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, &Error{Kind: KindID, Message: "No address can be made for " + ref.String() + ": " + err.Error() + "."}
		}
		if part != "" {
			req.Header.Set("Range", part)
		}
		if h.Token != "" {
			req.Header.Set("Authorization", "Bearer "+h.Token)
		}
		resp, err := h.Client.Do(req)
		if err != nil {
			if errors.Is(err, ErrEndless) {
				return nil, &Error{Kind: KindStatus, Message: "The hub could not be reached for " + ref.String() + ": " + ErrEndless.Error() + ".", Hint: "Try again later, or paste the config.json here."}
			}
			if try == lost || ctx.Err() != nil {
				return nil, unreachable(ctx, ref, err)
			}
			if err := pause(ctx, ref, wait); err != nil {
				return nil, err
			}
			wait *= 2
			continue
		}
		switch resp.StatusCode {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		default:
			return resp, nil
		}
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 {
			wait = max(wait, time.Duration(min(s, 3600))*time.Second)
		}
		if deadline, ok := ctx.Deadline(); try == tries || ok && time.Until(deadline) < 2*wait {
			return resp, nil // what it says is the answer
		}
		resp.Body.Close()
		if err := pause(ctx, ref, wait); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

// pause waits.
func pause(ctx context.Context, ref Ref, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return unreachable(ctx, ref, ctx.Err())
	}
}

// Kinds of errors, for a page that treats some of them apart.
const (
	KindID       = "id"        // what was typed names no model
	KindNotFound = "not-found" // no such model, revision or file
	KindGated    = "gated"     // the hub wants an account, or the model is private
	KindOffline  = "offline"   // no answer, or one that the browser withholds
	KindTimeout  = "timeout"
	KindNotJSON  = "not-json"
	KindTooLarge = "too-large"
	KindStatus   = "status" // any other answer
)

// Error says what happened and what to do, in sentences for the page.
type Error struct {
	Kind, Message, Hint string
	File                bool // the file is not there, though the model may be
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

const paste = "Open the model's page where you are signed in, copy its config.json, and paste it here."

// refused explains an answer that is not the file. The hub's X-Error-Code tells apart what shares a status.
func refused(ref Ref, name string, resp *http.Response) *Error {
	model := ref.Owner + "/" + ref.Name
	switch code := resp.Header.Get("X-Error-Code"); {
	case code == "GatedRepo":
		return &Error{Kind: KindGated, Message: model + " is gated: the hub shows its files to people who accepted its terms.", Hint: paste}
	case code == "RepoNotFound":
		return &Error{Kind: KindNotFound, Message: "The hub shows no model " + model + " to the public: it does not exist, or it is private.", Hint: "Check the spelling; upper and lower case differ. For a private model, paste its config.json here."}
	case code == "RevisionNotFound":
		return &Error{Kind: KindNotFound, Message: model + " has no revision " + ref.Revision + ".", Hint: "Leave the revision out for the main branch."}
	case code == "EntryNotFound":
		return &Error{Kind: KindNotFound, Message: model + " has no " + name + ".", Hint: "Some models, GGUF ones among them, come without: use the id of the model that it was made from.", File: true}
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &Error{Kind: KindGated, Message: "The hub does not show " + model + " without an account: it is gated or private, or it does not exist.", Hint: paste}
	case resp.StatusCode == http.StatusNotFound:
		return &Error{Kind: KindNotFound, Message: "The hub has no " + name + " for " + ref.String() + ".", Hint: "Check the spelling; upper and lower case differ.", File: true}
	case resp.StatusCode == http.StatusTooManyRequests:
		return &Error{Kind: KindStatus, Message: "The hub answers no more requests from this address for a while (status 429).", Hint: "Try again in a few minutes."}
	}
	return &Error{Kind: KindStatus, Message: "The hub answered with status " + strconv.Itoa(resp.StatusCode) + " for " + ref.String() + ".", Hint: "Try again later, or paste the config.json here."}
}

func unreachable(ctx context.Context, ref Ref, err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Kind: KindTimeout, Message: "The hub did not send " + ref.String() + " in time.", Hint: "Try again, or paste the config.json here."}
	}
	// A browser tells a program no more than this.
	return &Error{Kind: KindOffline, Message: "The hub could not be reached, or the browser withholds its answer.", Hint: "Check the connection and anything that blocks requests to other sites, or paste the config.json here."}
}

func tooLarge(ref Ref, name string, limit int64) *Error {
	return &Error{Kind: KindTooLarge, Message: "The " + name + " of " + ref.String() + " is larger than " + strconv.FormatInt(limit>>20, 10) + " MiB, which no config is.", Hint: "Look at the file on the model's page."}
}
