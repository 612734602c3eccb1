package toolchain

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// archive writes a brotli-packed tar file of the given entries.
func archive(t *testing.T, entries ...tar.Header) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.tar.br")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	bw := brotli.NewWriter(f)
	tw := tar.NewWriter(bw)
	for _, h := range entries {
		h.Mode = 0o644
		body := ""
		if h.Typeflag == tar.TypeReg {
			body = "body of " + h.Name
		}
		h.Size = int64(len(body))
		if err := tw.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{tw, bw, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestUntar(t *testing.T) {
	dst := filepath.Join(t.TempDir(), "out")
	src := archive(t,
		tar.Header{Name: "./", Typeflag: tar.TypeDir},
		tar.Header{Name: "lib/libx.so.1", Typeflag: tar.TypeReg},
		tar.Header{Name: "lib/libx.so", Typeflag: tar.TypeSymlink, Linkname: "libx.so.1"},
	)
	if err := untar(dst, src); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dst, "lib", "libx.so"))
	if err != nil || string(got) != "body of lib/libx.so.1" {
		t.Errorf("through the link: %q, %v", got, err)
	}
}

func TestUntarStaysInside(t *testing.T) {
	for name, h := range map[string]tar.Header{
		"name above":    {Name: "../x", Typeflag: tar.TypeReg},
		"absolute name": {Name: "/tmp/x", Typeflag: tar.TypeReg},
		"link above":    {Name: "a/x", Typeflag: tar.TypeSymlink, Linkname: "../../x"},
		"absolute link": {Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
	} {
		t.Run(name, func(t *testing.T) {
			err := untar(filepath.Join(t.TempDir(), "out"), archive(t, h))
			if err == nil || !strings.Contains(err.Error(), "leaves the folder") {
				t.Errorf("got %v, want a refusal", err)
			}
		})
	}
}

func TestPlaceKeepsTheFirst(t *testing.T) {
	dst := filepath.Join(t.TempDir(), "kept")
	fill := func(text string) func(string) error {
		return func(tmp string) error { return os.WriteFile(filepath.Join(tmp, "f"), []byte(text), 0o644) }
	}
	for _, text := range []string{"first", "second"} {
		if err := place(dst, fill(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dst, "f")); string(got) != "first" {
		t.Errorf("the folder holds %q, want what came first", got)
	}
	left, _ := filepath.Glob(dst + ".part-*")
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBrowserFromEnvironment(t *testing.T) {
	t.Setenv("CHROME", filepath.Join(t.TempDir(), "none"))
	if _, err := FindBrowser(t.Context(), "."); err == nil || !strings.Contains(err.Error(), "CHROME=") {
		t.Errorf("a CHROME that is not there must be named: %v", err)
	}
}

func TestNoBrowserSaysHow(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Setenv("PATH", t.TempDir()) // hides apt as well as every browser
	}
	t.Setenv("CHROME", "")
	if installed() != nil {
		t.Skip("a browser is installed")
	}
	_, err := FindBrowser(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "npm ci") {
		t.Errorf("the error must say how to get one: %v", err)
	}
}
