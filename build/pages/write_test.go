package pages

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// held is what a folder holds, by path.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all[filepath.ToSlash(strings.TrimPrefix(name, dir))] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func output(files map[string]string) *Output {
	o := &Output{Files: map[string][]byte{}}
	for path, text := range files {
		o.Files[path] = []byte(text)
	}
	return o
}

// TestWriteInOrder: a build that is cut off, wherever that is, leaves no page that names what is not there.
func TestWriteInOrder(t *testing.T) {
	old := map[string]string{"/index.html": "names /assets/a-1.js", "/gone/index.html": "names /assets/a-1.js", "/assets/a-1.js": "1", "/sw.js": "1"}
	next := map[string]string{"/index.html": "names /assets/a-2.js and /models.json", "/assets/a-2.js": "2", "/models.json": "[]", "/sw.js": "2", "/_headers": "x", "/new/index.html": "names /assets/a-2.js"}
	whole := slices.Collect(maps.Keys(next))
	for _, stop := range whole {
		dir := t.TempDir()
		if _, err := output(old).Write(dir); err != nil {
			t.Fatal(err)
		}
		// A name that no disk takes stands where the build is cut off.
		files := maps.Clone(next)
		bad := filepath.ToSlash(filepath.Join(filepath.Dir(stop), strings.Repeat("x", 300)+filepath.Ext(stop)))
		files[bad] = "never written"
		if _, err := output(files).Write(dir); err == nil {
			t.Fatalf("%s was written", bad)
		}
		now := held(t, dir)
		for path, text := range now {
			if text != old[path] && text != next[path] {
				t.Errorf("cut off at %s: %s holds %q", stop, path, text)
			}
			if strings.Contains(text, "/assets/a-1.js") && now["/assets/a-1.js"] == "" || strings.Contains(text, "/assets/a-2.js") && now["/assets/a-2.js"] == "" || strings.Contains(text, "/models.json") && now["/models.json"] == "" {
				t.Errorf("cut off at %s: %s %s, and only %v are there", stop, path, text, slices.Sorted(maps.Keys(now)))
			}
		}
		if now["/sw.js"] == "2" && now["/index.html"] != next["/index.html"] {
			t.Errorf("cut off at %s: the worker is of the next build, the page is not", stop)
		}
		// The next build finds its way from there.
		if _, err := output(next).Write(dir); err != nil {
			t.Fatal(err)
		}
		if now := held(t, dir); !maps.Equal(now, next) {
			t.Errorf("after %s: %v", stop, now)
		}
	}
}

// TestWriteClears: what an earlier build left in the way, or did not finish, goes.
func TestWriteClears(t *testing.T) {
	dir := t.TempDir()
	for _, files := range []map[string]string{{"/a": "file", "/b/c/index.html": "page", "/.part-123": "half"}, {"/a/index.html": "page", "/b": "file"}, {"/a": "file"}} {
		changed, err := output(files).Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		if now := held(t, dir); !maps.Equal(now, files) {
			t.Errorf("%v, want %v (changed %v)", now, files, changed)
		}
	}
}

// TestWriteAgain: a folder that is written again has what changed written, and what somebody has touched mended, be it as long as before.
func TestWriteAgain(t *testing.T) {
	dir := t.TempDir()
	f := &Folder{Dir: dir}
	out := output(map[string]string{"/a": "one", "/b": "two", "/c/d": "three"})
	for _, c := range []struct {
		before  func() error
		changed []string
	}{
		{func() error { return nil }, []string{"/a", "/b", "/c/d"}},
		{func() error { return nil }, nil},
		{func() error { return os.WriteFile(filepath.Join(dir, "a"), []byte("won"), 0o600) }, []string{"/a"}},
		{func() error { return os.Remove(filepath.Join(dir, "b")) }, []string{"/b"}},
		{func() error { out.Files["/c/d"] = []byte("other"); return nil }, []string{"/c/d"}},
		{func() error { out.Files["/b"] = []byte("two"); return nil }, nil}, // the same in another place
		{func() error { delete(out.Files, "/a"); return nil }, []string{"/a"}},
	} {
		if err := c.before(); err != nil {
			t.Fatal(err)
		}
		changed, err := f.Write(out)
		if err != nil || !slices.Equal(changed, c.changed) {
			t.Errorf("changed %v (%v), want %v", changed, err, c.changed)
		}
		want := map[string]string{}
		for path, data := range out.Files {
			want[path] = string(data)
		}
		if now := held(t, dir); !maps.Equal(now, want) {
			t.Errorf("%v, want %v", now, want)
		}
	}
}
