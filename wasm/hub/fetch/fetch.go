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
	// Max is the largest answer in bytes; 0 means MaxConfig.
	Max int64
}

// Config gets the config.json of a model. Errors are of type *Error. The deadline is the context's.
//
// The text is an object in braces, not proved to be JSON: published files hold Infinity and NaN, which JSON
// lacks and the counting core reads. The core has the last word, with the place in the text.
func (h Hub) Config(ctx context.Context, ref Ref) ([]byte, error) {
	limit := h.Max
	if limit == 0 {
		limit = MaxConfig
	}
	body, err := h.get(ctx, ref, "config.json", limit)
	if err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(body)
	if len(text) == 0 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, &Error{
			Kind:    KindNotJSON,
			Message: "The hub's config.json of " + ref.String() + " is not a JSON object; it begins with " + strconv.Quote(string(text[:min(20, len(text))])) + ".",
			Hint:    "Look at the file on the model's page.",
		}
	}
	return body, nil
}

func (h Hub) get(ctx context.Context, ref Ref, name string, limit int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, ref.file(h.Base, name), nil)
	if err != nil {
		return nil, &Error{Kind: KindID, Message: "No address can be made for " + ref.String() + ": " + err.Error() + "."}
	}
	resp, err := h.Client.Do(req)
	if err != nil {
		return nil, unreachable(ctx, ref, err)
	}
	// A read does not see the context end; closing the body ends the transfer, and the read with it.
	stop := context.AfterFunc(ctx, func() { resp.Body.Close() })
	defer stop()
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refused(ref, name, resp)
	}
	if resp.ContentLength > limit {
		return nil, tooLarge(ref, name, limit)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case ctx.Err() != nil: // the closed body may look like a regular end
		return nil, unreachable(ctx, ref, ctx.Err())
	case err != nil:
		return nil, unreachable(ctx, ref, err)
	case int64(len(body)) > limit:
		return nil, tooLarge(ref, name, limit)
	}
	return body, nil
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
		return &Error{KindGated, model + " is gated: the hub shows its files to people who accepted its terms.", paste}
	case code == "RepoNotFound":
		return &Error{KindNotFound, "The hub shows no model " + model + " to the public: it does not exist, or it is private.", "Check the spelling; upper and lower case differ. For a private model, paste its config.json here."}
	case code == "RevisionNotFound":
		return &Error{KindNotFound, model + " has no revision " + ref.Revision + ".", "Leave the revision out for the main branch."}
	case code == "EntryNotFound":
		return &Error{KindNotFound, model + " has no " + name + ".", "Some models, GGUF ones among them, come without: use the id of the model that it was made from."}
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &Error{KindGated, "The hub does not show " + model + " without an account: it is gated or private, or it does not exist.", paste}
	case resp.StatusCode == http.StatusNotFound:
		return &Error{KindNotFound, "The hub has no " + name + " for " + ref.String() + ".", "Check the spelling; upper and lower case differ."}
	case resp.StatusCode == http.StatusTooManyRequests:
		return &Error{KindStatus, "The hub answers no more requests from this address for a while (status 429).", "Try again in a few minutes."}
	}
	return &Error{KindStatus, "The hub answered with status " + strconv.Itoa(resp.StatusCode) + " for " + ref.String() + ".", "Try again later, or paste the config.json here."}
}

func unreachable(ctx context.Context, ref Ref, err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{KindTimeout, "The hub did not send " + ref.String() + " in time.", "Try again, or paste the config.json here."}
	}
	// A browser tells a program no more than this.
	return &Error{KindOffline, "The hub could not be reached, or the browser withholds its answer.", "Check the connection and anything that blocks requests to other sites, or paste the config.json here."}
}

func tooLarge(ref Ref, name string, limit int64) *Error {
	return &Error{KindTooLarge, "The " + name + " of " + ref.String() + " is larger than " + strconv.FormatInt(limit>>20, 10) + " MiB, which no config is.", "Look at the file on the model's page."}
}
