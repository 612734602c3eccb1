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

The constants of each engine (content/engines) are fitted to public runs (build/accuracy/rates) by ` + "`make calibrate`" + `. To judge the fit it leaves out one device
after the other and predicts that device's runs from the rest. The errors are those of the time that a step, a prompt or a token takes. A band is the narrowest
that holds eight of ten such runs. Where it would be more than three times as high as low, we predict nothing for devices without measurements;
such rows have empty last columns, which cover only the runs that get a prediction.

| what | engine | runs | devices | median error | eight of ten within | median error where shown | inside the bands |
|---|---|--:|--:|--:|--:|--:|--:|
`)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["median_error_shown"], r["inside_bands"])
	}
	nested, err := oracle.LoadTable(calibrate, "nested.txt")
	if err != nil {
		return err
	}
	b.WriteString(`
With two devices an engine is predicted on each from the other alone. Read the row on time to first token as a warning. Under load that time is mostly
waiting in a queue. It depends on how a load test starts its users and on what an engine caches, and few sources say either. So the error on a device without
measurements is the table's largest, and the page shows a first token there only by an engine whose band is no wider than three times. Training in 8 and 4 bits
is asked with weights=.

We chose how strongly constants are drawn to wider experience with these errors in view. With that choice made on the other devices and engines alone,
the median errors are`)
	for i, r := range nested {
		sep := ","
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(b, "%s %s for %s", sep, r["median_error"], parts[r["kind"]])
	}
	b.WriteString(`. The form of the model, the terms that it has, was found on all public runs, and no leaving out can undo that.

Other things can be left out than a device: each source, each half year (runs without a date are one), each model, each family of models, all weights of a width, each family of devices, each maker. The last two ask what the page answers with
a wider class or not at all. "Inside" is asked of the bands that the page shows.

| what | left out, each in turn | runs | devices | median error | eight of ten within | median error where shown | inside the bands |
|---|---|--:|--:|--:|--:|--:|--:|
`)
	others, err := oracle.LoadTable(calibrate, "splits.txt")
	if err != nil {
		return err
	}
	for _, r := range others {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", parts[r["kind"]], r["engine"], r["runs"], r["devices"], r["median_error"], r["eight_of_ten_within"], r["median_error_shown"], r["inside_bands"])
	}
	b.WriteString(`
Three rows are far worse than those of devices left out, each for want of runs. Without one collection of 2024, or without 16 bits, 24 prefills by llama.cpp on NVIDIA's cards are left, or none in 16 bits. Without Megatron's own
runs three are left of that program. Nearly all of TensorRT-LLM's runs on an H100 have no date. Without them seven are left there, of models with experts spread in ways that no question asks, which took 1.7 times
as long as the constants say; so the device's factor is wrong for the others, which the constants alone miss by 10 to 15%.

`)
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
	b.WriteString(`.

No measured run beats its bound, taken for the arithmetic that its engine uses, and no prediction does: tokens, prompts, first tokens, whole requests of all users together, and training.
Of disaggregated servers, whose prompts other devices read, the runs here are of the side that decodes; a question about them names that side's layout and its sequences as
batch=. Where attention is copied and only experts are divided over the devices (attention data parallel), no question here asks, and 15 public runs are left out. Their time to first token is not predicted.
`)
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
