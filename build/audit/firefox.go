package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/net/websocket"
)

// firefox opens pages in Firefox over WebDriver BiDi, which it speaks without a driver program.
func (a *audit) firefox(ctx context.Context) error {
	program := ""
	for _, name := range []string{"firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return skip{"no Firefox here (apt-get install firefox-esr)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	profile, err := os.MkdirTemp("", "llmsize-firefox-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port=0", "--remote-allow-origins="+a.site)
	cmd.Env = append(os.Environ(), "HOME="+profile) // it wants a home that is its user's own
	said, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return skip{err.Error()}
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	address, err := listening(said)
	if err != nil {
		return err
	}
	conn, err := websocket.Dial(address+"/session", "", a.site)
	if err != nil {
		return err
	}
	defer conn.Close()
	s := &session{conn: conn}
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	if _, err := s.call("session.new", map[string]any{"capabilities": map[string]any{}}); err != nil {
		return err
	}
	if _, err := s.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}); err != nil {
		return err
	}
	tab, err := s.call("browsingContext.create", map[string]any{"type": "tab"})
	if err != nil {
		return err
	}
	for _, page := range a.pages {
		start := time.Now()
		s.faults = nil
		to := map[string]any{"context": tab["context"], "url": a.site + page, "wait": "complete"}
		if _, err := s.call("browsingContext.navigate", to); err != nil {
			return err
		}
		// Modules and WebAssembly start after the load event; their errors come in by then.
		wait := map[string]any{"target": map[string]any{"context": tab["context"]}, "awaitPromise": true,
			"expression": "new Promise((done) => setTimeout(() => done(document.title), 1000))"}
		answer, err := s.call("script.evaluate", wait)
		if err != nil {
			return err
		}
		result, _ := answer["result"].(map[string]any)
		if title, _ := result["value"].(string); title == "" {
			s.faults = append(s.faults, errors.New("the page has no title"))
		}
		if len(s.faults) > 0 {
			return fmt.Errorf("%s: %w", page, errors.Join(s.faults...))
		}
		fmt.Printf("firefox: %s without an error, %d ms\n", page, time.Since(start).Milliseconds())
	}
	return nil
}

// listening waits for the line with the browser's address.
func listening(said io.Reader) (string, error) {
	var all []string
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
			go io.Copy(io.Discard, said) // a full pipe would stop it
			return strings.TrimSpace(address), nil
		}
		all = append(all, lines.Text())
	}
	return "", fmt.Errorf("Firefox ended before it listened:\n%s", strings.Join(all, "\n"))
}

// session is one WebDriver BiDi conversation.
type session struct {
	conn   *websocket.Conn
	last   int
	faults []error // errors that pages logged since it was emptied
}

// call sends a command and reads until its answer, keeping what pages log meanwhile.
func (s *session) call(method string, params map[string]any) (map[string]any, error) {
	s.last++
	if err := websocket.JSON.Send(s.conn, map[string]any{"id": s.last, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		var m struct {
			Type, Method, Error, Message string
			ID                           int
			Result                       map[string]any
			Params                       json.RawMessage
		}
		if err := websocket.JSON.Receive(s.conn, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.Method == "log.entryAdded":
			var entry struct{ Level, Text string }
			if err := json.Unmarshal(m.Params, &entry); err == nil && entry.Level == "error" {
				s.faults = append(s.faults, errors.New(entry.Text))
			}
		case m.ID != s.last:
		case m.Type == "error":
			return nil, fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		default:
			return m.Result, nil
		}
	}
}
