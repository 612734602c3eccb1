package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Browser is a Chrome or Chromium that can be started without a screen.
type Browser struct {
	Path   string   // the program
	Source string   // how it was found, for logs
	Env    []string // what it needs in its environment, as NAME=value
}

// BrowserHelp says how to get a browser, for the error of whoever needs one.
const BrowserHelp = `no browser was found. Any one of these brings one:
  - install Chrome or Chromium (apt-get install chromium, brew install --cask google-chrome)
  - set CHROME to the path of one
  - run "npm ci" in the checkout (Linux on x86-64 only)`

// Names on the PATH, the lightest first, then where macOS keeps them.
var browserNames = []string{
	"chromium-headless-shell", "chrome-headless-shell", "headless-shell",
	"google-chrome", "google-chrome-stable", "chromium", "chromium-browser",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
}

// FindBrowser takes $CHROME, else an installed browser, else the one in root's npm packages (unpacked
// once into the machine's cache), else installs chromium-headless-shell with apt as root.
func FindBrowser(ctx context.Context, root string) (*Browser, error) {
	if path := os.Getenv("CHROME"); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return nil, fmt.Errorf("CHROME=%s: %w", path, err)
		}
		return &Browser{Path: found, Source: "CHROME"}, nil
	}
	if b := installed(); b != nil {
		return b, nil
	}
	packed, err := fromNPM(ctx, root)
	if err == nil {
		return packed, nil
	}
	if err := fromApt(ctx); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%s\napt was tried: %w", BrowserHelp, err)
	}
	if b := installed(); b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("%s\nthe npm packages: %w", BrowserHelp, err)
}

func installed() *Browser {
	for _, name := range browserNames {
		if path, err := exec.LookPath(name); err == nil {
			return &Browser{Path: path, Source: "installed"}
		}
	}
	return nil
}

// fromNPM unpacks the browser of the @sparticuz/chromium package: a bare binary, the software
// renderer beside it, and libraries and fonts for systems that have none.
func fromNPM(ctx context.Context, root string) (*Browser, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, fmt.Errorf("they hold no browser for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	pkg := filepath.Join(root, "node_modules", "@sparticuz", "chromium")
	version, err := packageVersion(pkg)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(CacheDir(root), "chromium-"+version)
	if !exists(dir) {
		fmt.Fprintln(os.Stderr, "browser: unpacking Chromium", version, "(200 MB, once)")
		err := place(dir, func(tmp string) error {
			for name, sub := range map[string]string{"swiftshader.tar.br": "", "al2023.tar.br": "al2023", "fonts.tar.br": "fonts"} {
				if err := untar(filepath.Join(tmp, sub), filepath.Join(pkg, "bin", name)); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return unbrotli(filepath.Join(tmp, "chromium"), filepath.Join(pkg, "bin", "chromium.br"))
		})
		if err != nil {
			return nil, err
		}
	}
	b := &Browser{Path: filepath.Join(dir, "chromium"), Source: "npm packages, Chromium " + version}
	// The package's own libraries only where the system lacks them: its versions are older.
	libs, err := exec.CommandContext(ctx, "ldd", b.Path).CombinedOutput()
	if err != nil || strings.Contains(string(libs), "not found") {
		b.Env = append(b.Env, "LD_LIBRARY_PATH="+filepath.Join(dir, "al2023", "lib"))
	}
	if !exists("/etc/fonts/fonts.conf") {
		b.Env = append(b.Env, "FONTCONFIG_PATH="+filepath.Join(dir, "fonts"))
	}
	return b, nil
}

func fromApt(ctx context.Context) error {
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return errors.ErrUnsupported
	}
	fmt.Fprintln(os.Stderr, "browser: installing chromium-headless-shell with apt (100 MB)")
	for _, args := range [][]string{
		{"update", "-qq"},
		{"install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell", "fonts-dejavu-core"},
	} {
		if _, err := output(ctx, "", []string{"DEBIAN_FRONTEND=noninteractive"}, apt, args...); err != nil {
			return err
		}
	}
	return nil
}
