package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietFor is how long no file may change before a build starts: an editor or a checkout writes several at once.
const quietFor = 80 * time.Millisecond

// Folders that hold no sources, and would be large to watch.
var skipped = []string{".cache", ".git", "dist", "node_modules"}

// watch reports which files below root changed: each list is what changed until nothing did for a moment. names are
// files and folders below root; folders count with all they hold, those that are made later too. A name that does not
// exist is passed over.
func watch(ctx context.Context, root string, names []string) (<-chan []string, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	// A file is watched by its folder: editors put a new file in the place of the old one.
	single := map[string]bool{}
	for _, name := range names {
		path := filepath.Join(root, name)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, errors.Join(err, w.Close())
		case info.IsDir():
			err = addTree(w, path)
		default:
			single[path] = true
			err = w.Add(filepath.Dir(path))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, w.Close())
		}
	}
	inTree := func(path string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			tree := filepath.Join(root, name)
			return !single[tree] && strings.HasPrefix(path, tree+string(filepath.Separator))
		})
	}
	out := make(chan []string)
	go func() {
		defer w.Close()
		var changed []string
		timer := time.NewTimer(0)
		<-timer.C
		var ready chan<- []string // out while there is something to report
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Has(fsnotify.Create) {
					if info, err := os.Stat(e.Name); err == nil && info.IsDir() && inTree(e.Name) {
						addTree(w, e.Name) // a folder that went again meanwhile holds nothing to watch
					}
				}
				if e.Op == fsnotify.Chmod || temporary(filepath.Base(e.Name)) || !single[e.Name] && !inTree(e.Name) {
					continue
				}
				rel, err := filepath.Rel(root, e.Name)
				if err != nil {
					continue
				}
				if rel = filepath.ToSlash(rel); !slices.Contains(changed, rel) {
					changed = append(changed, rel)
				}
				ready = nil
				timer.Reset(quietFor)
			case <-timer.C:
				slices.Sort(changed)
				ready = out
			case ready <- changed:
				changed, ready = nil, nil
			case <-w.Errors: // events were lost; what is written next still comes
			}
		}
	}()
	return out, nil
}

func addTree(w *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if slices.Contains(skipped, e.Name()) {
			return filepath.SkipDir
		}
		return w.Add(path)
	})
}

// temporary tells the names that editors use for a moment, and tests, which the site does not contain.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") ||
		strings.HasSuffix(name, ".tmp") || name == "4913" || strings.HasSuffix(name, "_test.go")
}

// rerun builds in a child process. Its error is what the child said, which names file and line.
func (d *Dev) rerun(ctx context.Context, _ []string) error {
	command := d.Rerun
	if len(command) == 0 {
		command = []string{"go", "run", "./build", "build"}
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = d.Root
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = d.Log, &said
	err := cmd.Run()
	if text := strings.TrimSpace(said.String()); err != nil && text != "" {
		text = strings.TrimSpace(strings.TrimSuffix(text, "exit status 1")) // go run's own last word
		return fmt.Errorf("%s", text)
	}
	return err
}
