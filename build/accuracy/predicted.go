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
	b.WriteString(`
## Predicted speeds

Constants of engines (content/engines) are fitted by ` + "`make calibrate`" + ` to the runs of build/accuracy/rates. Each device is left out in turn:
the errors are those of a fit that has not seen the device, for the time that a step, a prompt or a token takes. A band is the narrowest that
holds eight of ten such runs; where that is more than three times from end to end, nothing is predicted of devices that were not measured, and
the last columns are empty: they are of runs for which a prediction is shown.

| what | engine | runs | devices | median error | eight of ten within | median error where shown | inside the bands |
|---|---|---|---|---|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["median_error_shown"], r["inside_bands"])
	}
	nested, err := oracle.LoadTable(calibrate, "nested.txt")
	if err != nil {
		return err
	}
	b.WriteString(`
An engine that was measured on two devices is predicted, for one, from the other alone. Time to first token under load is mostly waiting in a
queue, and depends on how a load test begins and on what an engine caches, which few sources say: it differs by more than three times from device
to device, so none is shown for a device that was not measured. Training in 8 and 4 bits is asked with weights=.

How strongly constants are drawn to what wider experience has was chosen while these errors were watched. Chosen without the device, by
the errors on the other devices and engines, the median errors are`)
	for i, r := range nested {
		sep := ","
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(b, "%s %s for %s", sep, r["median_error"], parts[r["kind"]])
	}
	b.WriteString(`. The form of the model, which terms it has, was found on all public runs, and no leaving out undoes that.

`)
	text, err := fs.ReadFile(calibrate, "errors.txt")
	if err != nil {
		return err
	}
	b.WriteString("By class, of runs whose device was left out, or of one device its model or source:\n\n| what | class | inside the bands | widest, high over low |\n|---|---|---|---|\n")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "# class: "); ok {
			f := strings.Split(strings.TrimSpace(rest), ", ")
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", parts[f[0]], map[string]string{"device": "the device", "family": "its family", "maker": "its maker", "any": "anything"}[f[1]], strings.TrimSuffix(f[2], " runs"), strings.TrimSuffix(strings.TrimPrefix(f[3], "at most "), " times wide"))
		}
	}
	b.WriteString("\nRuns of the very same question differ among themselves, and no prediction does better than that:")
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
	b.WriteString(".\n\nRuns that were read and are in no table:")
	sep = ""
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "# left out: "); ok {
			why, count, _ := strings.Cut(strings.TrimSpace(rest), ", ")
			for strings.Contains(count, ", ") { // a reason may have a comma of its own
				more, last, _ := strings.Cut(count, ", ")
				why, count = why+", "+more, last
			}
			fmt.Fprintf(b, "%s %s (%s)", sep, count, why)
			sep = ","
		}
	}
	b.WriteString(`.

No measured run beats its bound on the arithmetic that its engine uses, and no prediction does.
Layers on the host, disaggregated servers and experts spread over many devices are in no table here: the first is an estimate without a band, of the
others only layouts are judged whose devices all do the same.
`)
	return nil
}
