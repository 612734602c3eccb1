package check

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/websocket"
)

// firefox reads pages and goes through the main flows in Firefox, over WebDriver BiDi, which it speaks without a
// driver program. A second run has scripts switched off.
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
	var problems []error
	// do says what came of one, and ends where the browser no longer answers: nothing after it could.
	do := func(s *session, name string, what func() error) error {
		if !strings.Contains(name, a.only) {
			return nil
		}
		start := time.Now()
		s.conn.SetDeadline(start.Add(3 * time.Minute))
		err := what()
		if err == nil {
			fmt.Printf("firefox: %s, %d ms\n", name, time.Since(start).Milliseconds())
			return nil
		}
		problems = append(problems, fmt.Errorf("%s: %w", name, err))
		if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, io.EOF) {
			return errors.Join(problems...)
		}
		return nil
	}
	err := a.inFirefox(ctx, program, "", func(s *session) error {
		brought, err := bring(a.root, a.hub)
		if err != nil {
			return err
		}
		for _, f := range append(slices.Clone(flows), brought) {
			if err := do(s, f.name, func() error { return s.flow(a.site, f) }); err != nil {
				return err
			}
		}
		for _, page := range a.pages {
			if err := do(s, page+" without an error", func() error { return s.page(a.site, page) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	off := flow{"without script everything is there", without}
	err = a.inFirefox(ctx, program, `user_pref("javascript.enabled", false);`, func(s *session) error {
		return do(s, off.name, func() error { return s.flow(a.site, off) })
	})
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	return err
}

// inFirefox starts a Firefox with a profile of its own, in which prefs are lines of user.js.
func (a *audit) inFirefox(ctx context.Context, program, prefs string, do func(*session) error) error {
	profile, err := os.MkdirTemp("", "llmsize-firefox-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs+"\n"), 0o600); err != nil {
		return err
	}
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
	conn.SetDeadline(time.Now().Add(3 * time.Minute)) // a busy machine takes one to start
	if _, err := s.call("session.new", map[string]any{"capabilities": map[string]any{}}); err != nil {
		return err
	}
	if _, err := s.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}); err != nil {
		return err
	}
	return do(s)
}

// page opens a page and waits for its scripts: modules and WebAssembly start after the load event, and their
// errors come in by then.
func (s *session) page(site, path string) error {
	t, err := s.tab(site)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.open(path); err != nil {
		return err
	}
	title, err := t.text("new Promise((done) => setTimeout(() => done(document.title), 1000))")
	if err == nil && title == "" {
		err = errors.New("the page has no title")
	}
	return errors.Join(append(s.faults, err)...)
}

// flow goes through a flow on the home page. What the page logs as an error counts against it.
func (s *session) flow(site string, f flow) error {
	t, err := s.tab(site)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.open("/"); err != nil {
		return err
	}
	err = f.do(t)
	return errors.Join(append(s.faults, err)...)
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

// tab is a page that is open. Its site's storage is the session's.
type tab struct {
	*session
	id, site string
}

func (s *session) tab(site string) (*tab, error) {
	made, err := s.call("browsingContext.create", map[string]any{"type": "tab"})
	if err != nil {
		return nil, err
	}
	id, _ := made["context"].(string)
	s.faults = nil
	return &tab{s, id, site}, nil
}

// call sends a command about the tab.
func (t *tab) call(method string, params map[string]any) (map[string]any, error) {
	params["context"] = t.id
	return t.session.call(method, params)
}

func (t *tab) close() { t.call("browsingContext.close", map[string]any{}) }

// open goes to a path of the site and waits until it has loaded.
func (t *tab) open(path string) error {
	_, err := t.call("browsingContext.navigate", map[string]any{"url": t.site + path, "wait": "complete"})
	return err
}

// text evaluates a script, which may be a promise, and returns the text that it gives.
func (t *tab) text(script string) (string, error) {
	answer, err := t.session.call("script.evaluate", map[string]any{"target": map[string]any{"context": t.id}, "awaitPromise": true, "expression": script})
	if err != nil {
		return "", err
	}
	if thrown, ok := answer["exceptionDetails"].(map[string]any); ok {
		return "", fmt.Errorf("%s: %v", script, thrown["text"])
	}
	result, _ := answer["result"].(map[string]any)
	text, _ := result["value"].(string)
	return text, nil
}

// write puts the caret into a field, takes what is there away, and presses keys.
func (t *tab) write(css, keys string) error {
	if _, err := t.text(`(() => { const e = document.querySelector(` + "`" + css + "`" + `); e.focus(); e.select(); return "" })()`); err != nil {
		return err
	}
	for _, r := range keys {
		if err := t.press(string(r)); err != nil {
			return err
		}
	}
	return nil
}

// Keys that aren't characters, as WebDriver calls them.
const (
	control = "\ue009"
	enter   = "\ue007"
)

// press presses a key while others are held.
func (t *tab) press(key string, held ...string) error {
	var actions []map[string]any
	add := func(kind, value string) { actions = append(actions, map[string]any{"type": kind, "value": value}) }
	for _, h := range held {
		add("keyDown", h)
	}
	add("keyDown", key)
	add("keyUp", key)
	for _, h := range held {
		add("keyUp", h)
	}
	_, err := t.call("input.performActions", map[string]any{"actions": []map[string]any{{"type": "key", "id": "keyboard", "actions": actions}}})
	return err
}
