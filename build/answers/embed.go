package answers

import (
	"fmt"
	"html"

	"llmsize/site/view"
)

// Embed is the answer alone, for a frame on another site.
func (e *Engine) Embed(text string) (string, error) {
	r, o, err := e.options(text)
	if err != nil {
		return "", err
	}
	return view.Embed(r, o), nil
}

// embedded shows an answer as another site would: by the element, or by a plain frame.
func (e *Engine) embedded(text string, options map[string]string) (string, error) {
	r, err := e.report(text)
	if err != nil {
		return "", err
	}
	query, name := html.EscapeString(r.Query.String()), html.EscapeString(view.Name(r))
	switch options["as"] {
	case "element":
		return fmt.Sprintf(`<llm-size query="%s"><a href="/?%s">%s: %s parameters</a></llm-size><script async src="/embed.js"></script>`, query, query, name, r.Parameters.Total.Short()), nil
	case "frame":
		return fmt.Sprintf(`<iframe src="/embed/?%s" title="%s: its parameters, counted" height="480" loading="lazy"></iframe>`, query, name), nil
	}
	return "", fmt.Errorf("as=%q: there is as=element and as=frame", options["as"])
}
