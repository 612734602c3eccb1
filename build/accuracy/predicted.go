package accuracy

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"llmsize/build/oracle"
)

// parts are the kinds of build/accuracy's table in words.
var parts = map[string]string{"decode": "decoding", "prefill": "prefill", "token": "time per output token under load", "first": "time to first token under load", "training": "training"}

// predictedTable writes how far predictions lie from runs on devices that the fit had not seen: what make calibrate found.
func predictedTable(b *bytes.Buffer, calibrate fs.FS) error {
	rows, err := oracle.LoadTable(calibrate, "errors.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("predicted"))
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["median_error_shown"], r["inside_bands"])
	}
	nested, err := oracle.LoadTable(calibrate, "nested.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("predicted-2"))
	for i, r := range nested {
		sep := ","
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(b, "%s %s for %s", sep, r["median_error"], parts[r["kind"]])
	}
	b.WriteString(words("predicted-3"))
	others, err := oracle.LoadTable(calibrate, "splits.txt")
	if err != nil {
		return err
	}
	for _, r := range others {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["median_error_shown"], r["inside_bands"])
	}
	b.WriteString(words("predicted-4"))
	text, err := fs.ReadFile(calibrate, "errors.txt")
	if err != nil {
		return err
	}
	b.WriteString("How many runs lie inside the band that the page would show, by what the prediction rests on. For \"the device\" we left out a model or a source; for the others the device:\n\n| what | class | inside the bands | widest, high over low |\n|---|---|---|---|\n")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "# class: "); ok {
			f := strings.Split(strings.TrimSpace(rest), ", ")
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", parts[f[0]], map[string]string{"device": "the device", "family": "its family", "maker": "its maker", "any": "anything"}[f[1]], strings.TrimSuffix(f[2], " runs"), strings.TrimSuffix(strings.TrimPrefix(f[3], "at most "), " times wide"))
		}
	}
	b.WriteString("\nEven runs of the very same question differ, and no prediction can do better than that. From the middle of such runs,")
	sep := ""
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "# spread: ")
		kind, rest, fine := strings.Cut(strings.TrimSpace(rest), ", ")
		_, within, found := strings.Cut(rest, "half lie within ")
		if ok && fine && found {
			share, _, _ := strings.Cut(within, " ")
			fmt.Fprintf(b, "%s half lie within %s in %s", sep, share, parts[kind])
			sep = ","
		}
	}
	b.WriteString(".\n\nRuns whose source has a share-alike, GPL or non-commercial licence judge, and fit nothing:")
	counted(b, string(text), "# judges only: ")
	b.WriteString(".\n\nWe read these runs and use none of them:")
	counted(b, string(text), "# left out: ")
	b.WriteString(words("predicted-5"))
	return nil
}

// counted lists what lines of a text say behind a mark, "a reason, 3 runs", as "3 runs (a reason)".
func counted(b *bytes.Buffer, text, mark string) {
	sep := ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
			at := strings.LastIndex(rest, ", ")
			fmt.Fprintf(b, "%s %s (%s)", sep, rest[at+2:], rest[:at])
			sep = ","
		}
	}
}
