package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"llmsize/core/spell"
)

// full is a disk without room: it takes a number of bytes and no more.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// TestFullDisk: an answer that could not be written was not given.
func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{
		{"count", "gpt2"}, {"count", "--json", "gpt2"}, {"tensors", "gpt2"}, {"report", "gpt2"}, {"report", "--json", "gpt2"}, {"link", "gpt2"},
		{"models"}, {"models", "--json"}, {"devices"}, {"devices", "--json"}, {"formats"}, {"formats", "--json"},
		{"fits", "device=rtx-4090-24gb"}, {"fits", "--json", "device=rtx-4090-24gb"}, {"--help"}, {"count", "--help"},
	} {
		_, out, _ := call("", args...)
		for _, room := range []int{0, len(out) - 1} {
			var errs strings.Builder
			code := run(args, strings.NewReader(""), &full{room}, &errs)
			if code != 1 || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("%v with room for %d of %d bytes: exit %d, said %q", args, room, len(out), code, errs.String())
			}
		}
		if code := run(args, strings.NewReader(""), &full{len(out)}, &full{}); code != 0 {
			t.Errorf("%v with room for all: exit %d", args, code)
		}
	}
	// The streams of a process.
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer device.Close()
	var errs strings.Builder
	if code := run([]string{"count", "--json", "gpt2"}, strings.NewReader(""), device, &errs); code != 1 || !strings.Contains(errs.String(), "standard output") {
		t.Errorf("/dev/full: exit %d, said %q", code, errs.String())
	}
}

// evil moves a cursor, sets a title, hides and turns text, and begins a line of its own.
const evil = "\x1b[31m\x1b]0;x\x07\u009b2J\u202e\u200b\U000e0041\r\nforged: exact\ttab"

// TestHiddenCharacters: no file, link or argument writes to the terminal what nobody sees, or a line of its own.
func TestHiddenCharacters(t *testing.T) {
	folder := t.TempDir()
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	in := string(quoted[1 : len(quoted)-1])
	named := strings.ReplaceAll(evil, "\x00", "")
	file := filepath.Join(folder, named+".json")
	if err := os.WriteFile(file, []byte(tiny), 0o644); err != nil {
		t.Fatal(err)
	}
	with := func(key, value string) string { return strings.Replace(tiny, "{", `{"`+key+`":"`+value+`",`, 1) }
	asked, refused := 0, 0
	for name, config := range map[string]string{
		"tiny":    tiny,
		"key":     with(in, "1"),
		"type":    strings.Replace(tiny, `"llama"`, `"`+in+`"`, 1),
		"class":   strings.Replace(tiny, "LlamaForCausalLM", in, 1),
		"value":   with("hidden_act", in),
		"dtype":   with("torch_dtype", in),
		"format":  strings.Replace(tiny, "{", `{"quantization_config":{"quant_method":"`+in+`"},`, 1),
		"broken":  `{"` + in + `":`,
		"control": "{\"\x1b[31m\":1}",
		"bytes":   "{\"\x9b31m\":1}",
		"none":    evil,
		"roles":   strings.Replace(tiny, `"num_hidden_layers":2`, `"num_hidden_layers":"`+in+`"`, 1),
	} {
		for _, args := range [][]string{
			{"count", "-"}, {"count", "--json", "-"}, {"tensors", "-"}, {"report", "-"}, {"report", "--json", "-"}, {"link", "-"},
		} {
			code, out, errs := call(config, args...)
			asked++
			if code != 0 {
				refused++
				if strings.Count(errs, "\n") != 1 {
					t.Errorf("%s, %v: more than a line: %q", name, args, errs)
				}
			}
			seen(t, name, args, out, errs)
		}
	}
	if refused == 0 || refused == asked {
		t.Errorf("%d of %d are refused: they do not test what they should", refused, asked)
	}
	for _, args := range [][]string{
		{"count", file}, {"report", file}, {"tensors", file}, {"link", file}, {"count", evil}, {evil}, {"-" + evil}, {"count", "gpt2", evil}, {"count", "gpt2", evil + "=1"},
		{"count", "gpt2", "weights=" + evil}, {"count", "gpt2", "set.x=" + evil}, {"count", "gpt2", "set." + evil + "=1"}, {"count", "?model=" + evil}, {"report", "?model=gpt2&" + evil + "=" + evil},
		{"fits", "device=" + evil}, {"fits", evil},
	} {
		_, out, errs := call("", args...)
		seen(t, "arguments", args, out, errs)
	}
}

// seen checks that all that was written is seen, and that no line is another's.
func seen(t *testing.T, name string, args []string, out, errs string) {
	t.Helper()
	for _, s := range []string{out, errs} {
		for _, r := range s {
			if spell.Hidden(r) && r != '\n' && r != '\t' {
				t.Errorf("%s, %q: wrote %U in %q", name, args, r, s)
				break
			}
		}
		if strings.Contains(s, "\nforged") {
			t.Errorf("%s, %q: wrote a line of another's: %q", name, args, s)
		}
	}
	if len(args) > 1 && args[1] == "--json" && out != "" && !json.Valid([]byte(out)) {
		t.Errorf("%s, %q: not JSON: %q", name, args, out)
	}
}

// TestOutputSplit: a character that two writes share is read as one.
func TestOutputSplit(t *testing.T) {
	const text = "é\u202e×\U000e0041€\xff."
	for cut := range len(text) {
		var b strings.Builder
		o := newOutput(&b)
		o.Write([]byte(text[:cut]))
		o.Write([]byte(text[cut:]))
		if err := o.close(); err != nil || b.String() != "é\\u202e×\\udb40\\udc41€\ufffd." {
			t.Errorf("cut at %d: %q, %v", cut, b.String(), err)
		}
	}
}
