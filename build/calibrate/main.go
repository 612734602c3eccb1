// Calibrate fits the constants of content/engines to measured runs, and says how well they hold for devices that
// they have not seen.
//
//	go run ./build/calibrate          writes content/engines/<engine>.toml and build/calibrate/errors.txt
//
// The runs are in rates/: one run a line, each with its public source. Runs whose source has a share-alike, GPL or
// non-commercial licence judge only. Constants are sought on grids, one after the other, for the least sum of absolute
// logarithms of predicted over measured, in which a model in a format on a device counts as the square root of its runs; so no
// single device, model or slip decides. Factors of classes are medians over devices, drawn towards the wider class.
// The same table gives the same bytes.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	log.SetFlags(0)
	out, err := calibrate()
	if err != nil {
		log.Fatal("calibrate: ", err)
	}
	names := []string{}
	for name := range out {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.FromSlash(name), out[name], 0o644); err != nil {
			log.Fatal("calibrate: ", err)
		}
	}
	fmt.Printf("%s", out["build/calibrate/errors.txt"])
}
