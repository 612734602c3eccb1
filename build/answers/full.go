package answers

import (
	"encoding/json"
	"fmt"

	"llmsize/site/view"
	"llmsize/site/view/speed"
)

// Full is the answer to a query with everything that a page with script shows of it
// on use: what readers without script have.
func (e *Engine) Full(text string) (string, error) {
	r, err := e.report(text)
	if err != nil {
		return "", err
	}
	meanings := map[string]string{}
	if e.reference.Content != nil {
		data, err := Meanings(e.reference.Content)
		if err == nil {
			err = json.Unmarshal(data, &meanings)
		}
		if err != nil {
			return "", fmt.Errorf("meanings of config keys: %w", err)
		}
	}
	return view.Full(r, speed.Token(r, e.engines), func(key string) string { return meanings[key] }), nil
}
