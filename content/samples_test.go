package content_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"llmsize/build/answers"
	"llmsize/build/text"
)

var (
	pageQuery = regexp.MustCompile(`(?m)^query = "(.+)"$`)
	sample    = regexp.MustCompile("(?ms)^```python([^\n]*)\n(.*?)^```$")
)

// TestSamplesRun runs every sample in Python of the chapters, filled with the engine's numbers as on
// the page. The lines of comment behind a line that prints are what it has to print: the engine's
// numbers again, so the program and the engine are held against each other.
//
// Samples use the standard library only. One that needs torch says so behind its language
// ("python torch") and is not run.
func TestSamplesRun(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 on this machine:", err)
	}
	e, err := answers.New(os.DirFS("."), os.DirFS("../core/family/families"), "https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, w := range texts(t, "*.md", "chapters/*.md", "pages/*.md") {
		file, read := w.file, w.source
		query := "v=1"
		if m := pageQuery.FindStringSubmatch(read); m != nil {
			query = m[1]
		}
		for _, m := range sample.FindAllStringSubmatchIndex(read, -1) {
			line := 1 + strings.Count(read[:m[0]], "\n")
			if strings.Contains(read[m[2]:m[3]], "torch") {
				t.Logf("content/%s:%d: not run, it needs torch", file, line)
				continue
			}
			code, err := text.ReplaceNumbers(read[m[4]:m[5]], e, query, text.Result.Plain)
			if err != nil {
				t.Errorf("content/%s:%d: %v", file, line, err)
				continue
			}
			want := printed(code)
			if len(want) == 0 {
				t.Errorf("content/%s:%d: the sample prints nothing, or does not say what", file, line)
				continue
			}
			limited, stop := context.WithTimeout(t.Context(), 20*time.Second)
			run := exec.CommandContext(limited, python, "-I", "-")
			run.Stdin = strings.NewReader(code)
			out, err := run.CombinedOutput()
			stop()
			if err != nil {
				t.Errorf("content/%s:%d: %v\n%s", file, line, err, out)
				continue
			}
			if got := strings.TrimSpace(string(out)); got != strings.Join(want, "\n") {
				t.Errorf("content/%s:%d: prints\n%s\nand says\n%s", file, line, got, strings.Join(want, "\n"))
			}
			ran++
		}
	}
	if ran == 0 {
		t.Error("no sample was run")
	}
	t.Logf("%d samples run", ran)
}

// printed is what a sample says that it prints.
func printed(code string) []string {
	var want []string
	prints := false
	for _, line := range strings.Split(code, "\n") {
		said, comment := strings.CutPrefix(line, "# ")
		if comment && prints {
			want = append(want, said)
			continue
		}
		prints = strings.HasPrefix(strings.TrimSpace(line), "print(")
	}
	return want
}
