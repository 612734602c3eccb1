package accuracy

import (
	"bytes"
	"fmt"
	"io/fs"

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
the errors are those of a fit that has not seen the device, for the time that a step, a prompt or a token takes. A band holds what eight of ten
such runs would need; where that is more than about three times from end to end, nothing is predicted.

| what | engine | runs | devices | median error | eight of ten within | inside the bands |
|---|---|---|---|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["inside_bands"])
	}
	b.WriteString(`
A single engine that was measured on two devices is predicted, for one, from the other alone. Time to first token depends on how a load test
begins and on what an engine caches, which few sources say: its band is wide, or absent. Training in 8 and 4 bits is asked with weights=.
`)
	return nil
}
