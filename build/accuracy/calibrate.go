package accuracy

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Calibrate fits the constants of content/engines to measured runs, and says how well they hold for devices that
// they have not seen.
//
//	go run ./build calibrate -nested  writes build/accuracy/nested.txt and splits.txt, which takes a minute
//	go run ./build calibrate          writes content/engines/<engine>.toml and build/accuracy/errors.txt
//
// The runs are in rates/: one run a line, each with its public source. Runs whose source has a share-alike, GPL or
// non-commercial licence judge only. Constants are sought on grids, one after the other, for the least sum of absolute
// logarithms of predicted over measured, in which a model in a format on a device counts as the square root of its runs; so no
// single device, model or slip decides. Factors of classes are medians over devices, drawn towards the wider class.
// The same table gives the same bytes.
func Calibrate(_ context.Context, args []string) error {
	if slices.Contains(args, "-nested") {
		text, err := nested()
		if err != nil {
			return err
		}
		other, err := split()
		if err != nil {
			return err
		}
		fmt.Printf("%s%s", text, other)
		if err := os.WriteFile(filepath.Join("build", "accuracy", "splits.txt"), other, 0o644); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join("build", "accuracy", "nested.txt"), text, 0o644)
	}
	out, err := calibrate()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		if err := os.WriteFile(filepath.FromSlash(name), out[name], 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%s", out["build/accuracy/errors.txt"])
	return nil
}
