package accuracy

import (
	"bytes"
	"fmt"

	"llmsize/build/oracle"
)

// unansweredTable lists what was read and cannot be counted again.
func unansweredTable(b *bytes.Buffer, _ *desk) error {
	rows, err := oracle.LoadTable(files, "unanswered.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("unanswered"))
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", r["what"], r["where"], r["missing"])
	}
	return nil
}
