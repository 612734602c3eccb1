package site_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"llmsize/build/project"
	"llmsize/build/toolchain"
)

// mostRebuild is what a build may take after one edited chapter.
const mostRebuild = 300 * time.Millisecond

// BenchmarkRebuild edits a chapter and builds the site again, as `make serve` does. It fails where the quickest of its
// builds takes longer than it may: other work on the machine makes some of them slower, none of them quicker.
func BenchmarkRebuild(b *testing.B) {
	root, err := toolchain.Root(".")
	if err != nil {
		b.Fatal(err)
	}
	// A copy, so that nobody's chapter is edited; what is only read is linked.
	dir := b.TempDir()
	entries, err := os.ReadDir(root)
	for _, e := range entries {
		name, place := filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())
		switch {
		case err != nil:
		case e.Name() == "content" || e.Name() == "site":
			err = os.CopyFS(place, os.DirFS(name))
		default:
			err = os.Symlink(name, place)
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	chapters := filepath.Join(dir, "content", "chapters")
	all, err := fs.Glob(os.DirFS(chapters), "*.md")
	if err != nil || len(all) == 0 {
		b.Fatal(err, all)
	}
	p, err := project.New(dir, filepath.Join(dir, "made"), "http://localhost:8080")
	if err != nil {
		b.Fatal(err)
	}
	if _, _, err := p.Build(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	least, processor := time.Hour, time.Hour
	for i := 0; b.Loop() || i < 5; i++ {
		b.StopTimer()
		name := all[i%len(all)]
		text, err := os.ReadFile(filepath.Join(chapters, name))
		if err == nil {
			text = append(bytes.TrimRight(text, "\n"), fmt.Sprintf("\n\nA word more, for the %dth time.\n", i)...)
			err = os.WriteFile(filepath.Join(chapters, name), text, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		from, spent := time.Now(), used()
		_, changed, err := p.Build(b.Context(), []string{"content/chapters/" + name})
		if err != nil {
			b.Fatal(err)
		}
		least, processor = min(least, time.Since(from)), min(processor, used()-spent)
		if len(changed) == 0 {
			b.Fatal("nothing was built")
		}
	}
	b.ReportMetric(float64(least.Milliseconds()), "ms-least")
	b.ReportMetric(float64(processor.Milliseconds()), "ms-processor")
	if least > mostRebuild {
		b.Errorf("a build after one edited chapter takes %v, %v of the processors; %v is allowed", least, processor, mostRebuild)
	}
}

// used is the processors' time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
