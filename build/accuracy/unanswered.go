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
	b.WriteString(`
## What cannot be counted again

Figures that we read and couldn't check, because the source leaves something out.

| what | where | what is missing |
|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", r["what"], r["where"], r["missing"])
	}
	return nil
}
