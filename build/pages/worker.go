// The site can be installed, and read without a network.
//
// # Versions
//
// A build has one version, the hash of all its files ([OfflineBuild]). The host sends it with every answer,
// in the header X-Build, so that the worker can tell which build an answer is from. The worker (site/root/sw.js)
// is written with that version and a list of what it keeps, so its bytes change with every
// build, which is how a browser learns of a new one.
//
// A worker installs only when all that it keeps is of its own build, and it serves what it keeps only
// when the network fails, and then only to pages of its own build: no page ever gets a mix.
//
// # Files
//
//	/sw.js               the worker
//	/models/configs.json the config.json of every model, as text by slug: one request instead of hundreds
//	/app.webmanifest     name, colours and icons for an installed site

package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"llmsize/build/assets"
)

// Paths of the files.
const (
	WorkerPath   = "/sw.js"
	ConfigsPath  = "/models/configs.json"
	ManifestPath = "/app.webmanifest"
)

// OfflineBuild is the version of a site: the hash of its files and their paths.
func OfflineBuild(files map[string][]byte) string { return new(hashes).build(files) }

// hashes keeps what files hash to while they are the same place in memory, as most files of a build are the last one's. Nobody
// writes into a file of a build.
type hashes struct{ known map[*byte]hashed }

type hashed struct {
	size int
	sum  [sha256.Size]byte
}

// build is [OfflineBuild], which forgets what is in the files no more.
func (h *hashes) build(files map[string][]byte) string {
	all, now := sha256.New(), make(map[*byte]hashed, len(files))
	for _, path := range slices.Sorted(maps.Keys(files)) {
		data := files[path]
		x, ok := h.known[unsafe.SliceData(data)]
		if !ok || x.size != len(data) {
			x = hashed{len(data), sha256.Sum256(data)}
		}
		now[unsafe.SliceData(data)] = x
		fmt.Fprintf(all, "%s\n%x\n", path, x.sum)
	}
	h.known = now
	return hex.EncodeToString(all.Sum(nil)[:8])
}

// KeptOffline are the files that a worker keeps from the start: the home page, the assets that it may
// load, and the index of the search. The parts of a file are not kept beside it. Programs that ask other sites, or run elsewhere, are of no use without a network.
func KeptOffline(files map[string][]byte) []string {
	list := []string{"/"}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if name, ok := strings.CutPrefix(path, "/assets/"); ok && !strings.Contains(name, "/") && !strings.HasPrefix(name, "hub") && !strings.HasPrefix(name, "verify") && !strings.HasPrefix(name, "edge") && !strings.HasPrefix(name, "icon") {
			list = append(list, path)
		}
	}
	if _, ok := files[assets.SearchPath]; ok {
		list = append(list, assets.SearchPath)
	}
	return list
}

// OfflineWorker is the worker's script for a build.
func OfflineWorker(script []byte, build string, files []string) ([]byte, error) {
	list, err := json.Marshal(files)
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return fmt.Appendf(nil, "const build=%q,files=%s,configs=%q;\n%s", build, list, ConfigsPath, script), nil
}

// ServedConfigs is the file with the config.json of every model, by slug, in their own words.
func ServedConfigs(texts map[string][]byte) ([]byte, error) {
	all := map[string]string{}
	for slug, text := range texts {
		all[slug] = string(text)
	}
	return json.Marshal(all) // sorted by slug
}

// App says how the installed site is called and looks.
type App struct {
	Name, Description string
	Colour            string // of the paper: "#131c2b"
	Icons             []AppIcon
}

// AppIcon is a picture of the installed site.
type AppIcon struct {
	Address string `json:"src"`
	Sizes   string `json:"sizes"` // "192x192", or "any" for a drawing
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"` // "maskable" when the system may cut its corners
}

// AppManifest is the web app manifest. The address stays in sight, since it is the question.
func AppManifest(a App) ([]byte, error) {
	return json.MarshalIndent(map[string]any{
		"id": "/", "start_url": "/", "scope": "/", "display": "minimal-ui", "lang": "en",
		"name": a.Name, "short_name": a.Name, "description": a.Description,
		"background_color": a.Colour, "theme_color": a.Colour,
		"categories": []string{"developer", "education", "utilities"},
		"icons":      a.Icons,
	}, "", " ")
}
