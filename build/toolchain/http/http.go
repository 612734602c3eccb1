// Package http is what tinyutil's httputil and package fetch take of net/http: the types of requests and answers, without
// anything that sends them, for which they have the browser. A TinyGo that is built from its Go module lacks the
// package (it is a submodule of its repository, which the module leaves out); the toolchain puts this one in its place, so
// that the program that asks the hub is a ninth of what Go makes of it. Where TinyGo has its own, its own is used.
package http

import (
	"context"
	"errors"
	"io"
	"net/url"
)

// Names and numbers, as net/http has them.
const (
	MethodGet = "GET"

	StatusOK                 = 200
	StatusPartialContent     = 206
	StatusUnauthorized       = 401
	StatusForbidden          = 403
	StatusNotFound           = 404
	StatusTooManyRequests    = 429
	StatusBadGateway         = 502
	StatusServiceUnavailable = 503
	StatusGatewayTimeout     = 504
)

// Header is the fields of a request or an answer, by their canonical names.
type Header map[string][]string

// Set puts one value in place of all.
func (h Header) Set(key, value string) { h[CanonicalHeaderKey(key)] = []string{value} }

// Add adds a value.
func (h Header) Add(key, value string) { k := CanonicalHeaderKey(key); h[k] = append(h[k], value) }

// Del takes all values away.
func (h Header) Del(key string) { delete(h, CanonicalHeaderKey(key)) }

// Get is the first value, empty for none.
func (h Header) Get(key string) string {
	if v := h[CanonicalHeaderKey(key)]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// CanonicalHeaderKey writes a name as net/http does: the first letter, and any after a hyphen, large.
func CanonicalHeaderKey(s string) string {
	b := []byte(s)
	up := true
	for i, c := range b {
		if up && c >= 'a' && c <= 'z' {
			b[i] = c - 32
		} else if !up && c >= 'A' && c <= 'Z' {
			b[i] = c + 32
		}
		up = c == '-'
	}
	return string(b)
}

// Request is what is sent.
type Request struct {
	Method string
	URL    *url.URL
	Header Header
	Body   io.ReadCloser
	ctx    context.Context
}

// Context ends the request.
func (r *Request) Context() context.Context {
	if r.ctx == nil {
		return context.Background()
	}
	return r.ctx
}

// NewRequest makes a request that nothing ends.
func NewRequest(method, address string, body io.Reader) (*Request, error) {
	return NewRequestWithContext(context.Background(), method, address, body)
}

// NewRequestWithContext makes a request. A body has to be one that can be closed.
func NewRequestWithContext(ctx context.Context, method, address string, body io.Reader) (*Request, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	r := &Request{Method: method, URL: u, Header: Header{}, ctx: ctx}
	if body != nil {
		rc, ok := body.(io.ReadCloser)
		if !ok {
			return nil, errors.New("net/http: a body that cannot be closed")
		}
		r.Body = rc
	}
	return r, nil
}

// Response is what comes back.
type Response struct {
	Status        string
	StatusCode    int
	Header        Header
	Body          io.ReadCloser
	ContentLength int64
	Request       *Request
}

// RoundTripper sends one request.
type RoundTripper interface {
	RoundTrip(*Request) (*Response, error)
}

// StatusText has no texts here: nobody reads them.
func StatusText(int) string { return "" }
