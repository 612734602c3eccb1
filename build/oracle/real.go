package oracle

import (
	"encoding/json"
	"fmt"
	"strings"
)

// writeReal writes what the oracle builds for real configurations, each with
// its configuration and where that was read.
func writeReal(oracle, out string) error {
	var list []caseJSON
	if found, err := readJSON(oracle, "real.json", &list); !found || err != nil {
		return err
	}
	var cases []Case
	for _, j := range list {
		if j.ConfigText == "" || j.Origin == "" {
			return fmt.Errorf("real.json: %s has no configuration or no origin", j.File)
		}
		c := j.fixture()
		c.Name, c.Config, c.Origin = strings.TrimSuffix(j.File, ".json"), json.RawMessage(j.ConfigText), j.Origin
		cases = append(cases, c)
	}
	text := FormatReal(cases)
	back, err := ParseReal(string(text))
	if err != nil {
		return fmt.Errorf("real.txt cannot be read again: line %w", err)
	}
	if again := FormatReal(back); string(again) != string(text) {
		return fmt.Errorf("real.txt: reading and writing again gives another text")
	}
	for i, c := range cases {
		c.Config, back[i].Config = nil, nil // same text, see above, and not always JSON
		if err := SameCase(c, back[i]); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	fmt.Printf("%s: %d configurations, %d bytes\n", out, len(cases), len(text))
	return write(out, text)
}
