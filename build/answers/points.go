package answers

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strconv"

	"llmsize/build/oracle"
)

// Points is every measured run with its prediction by a fit that had not seen its device (build/accuracy), as JSON for the
// picture of the page on accuracy: lists of kinds, engines and devices, and runs as places in these lists, what was measured, what
// was predicted, and the question.
func Points(calibrate fs.FS) ([]byte, error) {
	rows, err := oracle.LoadTable(calibrate, "points.txt")
	if err != nil {
		return nil, err
	}
	var kinds, engines, devices []string
	at := func(list *[]string, name string) int {
		i := slices.Index(*list, name)
		if i < 0 {
			i = len(*list)
			*list = append(*list, name)
		}
		return i
	}
	runs := make([][]any, 0, len(rows))
	for _, r := range rows {
		m, err := strconv.ParseFloat(r["measured"], 64)
		if err != nil {
			return nil, err
		}
		p, err := strconv.ParseFloat(r["predicted"], 64)
		if err != nil {
			return nil, err
		}
		runs = append(runs, []any{at(&kinds, r["kind"]), at(&engines, r["engine"]), at(&devices, r["device"]), m, p, r["question"]})
	}
	return json.Marshal(map[string]any{"kinds": kinds, "engines": engines, "devices": devices, "runs": runs})
}
