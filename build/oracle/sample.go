package oracle

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// sampled holds the families against random configs that the library was asked about, and our counts of units against torch's of shaken ones: a line for
// each that comes out otherwise, and how many do.
func sampled(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lib := families.Library()
	count := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if u, is, err := ParseUnit(line); err != nil {
			return err
		} else if is {
			what, detail := u.held(lib)
			count[what]++
			if detail != "" {
				fmt.Printf("%s\t%s\t%s\t%s\n", what, detail, u.Of, u.Config)
			}
			continue
		}
		record, fail := config.ParseObject(line)
		if fail != nil {
			return fail
		}
		what, detail := held(&record, lib)
		what = record.Get("kind").Text + ": " + what
		count[what]++
		if detail != "" {
			fmt.Printf("%s\t%s\t%s\n", what, detail, record.Get("config").JSON())
		}
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(os.Stderr, "%6d %s\n", count[what], what)
	}
	return nil
}

// held says how our count of a unit stands beside torch's, with how far off it is.
func (u *Unit) held(lib *family.Library) (what, detail string) {
	got, said, problem := u.Counted(lib)
	switch {
	case problem != "":
		return "a unit: no number", problem
	case got == u.FLOPs:
		return "a unit: equal", ""
	case said != "":
		return "a unit: off, with a warning", fmt.Sprintf("%+.4f%%, %s", 100*(got/u.FLOPs-1), said)
	}
	return "a unit: off", fmt.Sprintf("%+.4f%%", 100*(got/u.FLOPs-1))
}

// held says how a family's answer stands beside the library's, with what differs.
func held(record *config.Value, lib *family.Library) (what, detail string) {
	var params, buffers int64
	exact := false
	m, fail := family.Describe(*record.Get("config"), lib)
	if fail == nil {
		exact = m.Built()
		for _, r := range m.Runs() {
			if n := r.Tensor.Elements * r.Count; r.Tensor.Buffer {
				buffers += n
			} else {
				params += n
			}
		}
	}
	sure := "an estimate"
	if exact {
		sure = "exact"
	}
	refused := record.Get("error").Text
	switch {
	case fail != nil && (fail.Field == "" || fail.File != ""):
		return "a fault without a key", fail.Error()
	case refused != "" && fail != nil:
		return "refused by both", ""
	case refused != "":
		return "refused by the class at its " + record.Get("at").Text + ", " + sure + " here", refused
	case fail != nil:
		return "built, refused here", fail.Error()
	}
	got, want := fmt.Sprintf("%d + %d", params, buffers), record.Get("parameters").Text+" + "+record.Get("buffers").Text
	if got != want {
		return "built otherwise, " + sure, got + ", want " + want
	}
	return "equal, " + sure, ""
}
