package accuracy

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/model"
	"llmsize/core/units"
)

// countTable works out published integers that count something else than the class's elements: bytes of a file, a trainer's own
// plan. A row's sum has figures of the engine and integers of the source, and comes to the published one or says that it doesn't.
func countTable(b *bytes.Buffer, d *desk) error {
	rows, err := oracle.LoadTable(files, "counts.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("counts"))
	equal := 0
	for _, r := range rows {
		sum, err := d.sum(r["model"], r["sum"])
		if err != nil {
			return fmt.Errorf("counts.txt: %s: %w", r["model"], err)
		}
		want, err := strconv.ParseInt(r["published"], 10, 64)
		if err != nil {
			return fmt.Errorf("counts.txt: %s: %w", r["model"], err)
		}
		mark := "equal"
		switch {
		case sum == want:
			equal++
		case sum < want:
			mark = units.Group(want-sum) + " more, not explained"
		default:
			mark = units.Group(sum-want) + " fewer, not explained"
		}
		if (sum == want) != (r["explained"] == "yes") {
			return fmt.Errorf("counts.txt: %s: the sum is %d, published %d, and the row says explained %s", r["model"], sum, want, r["explained"])
		}
		fmt.Fprintf(b, "| %s | %s %s | %s | %s | %s; %s |\n", r["model"], units.Group(want), r["unit"], strings.ReplaceAll(r["sum"], "*", " × "), mark, r["why"], r["source"])
	}
	fmt.Fprintf(b, "\n%d of %d sums are equal.\n", equal, len(rows))
	return nil
}

// sum works out "2*total + 2*router + 7*8192*29": products of integers and of a model's figures. "NAME:FIGURE" is another model's.
func (d *desk) sum(name, text string) (int64, error) {
	n := int64(0)
	for term := range strings.SplitSeq(text, " + ") {
		x := int64(1)
		for factor := range strings.SplitSeq(term, "*") {
			k, err := strconv.ParseInt(factor, 10, 64)
			if err != nil {
				of, figure, ok := strings.Cut(factor, ":")
				if !ok {
					of, figure = name, factor
				}
				if k, err = d.figure(of, figure); err != nil {
					return 0, err
				}
			}
			x *= k
		}
		n += x
	}
	return n, nil
}

// figure is a count of a model.
func (d *desk) figure(name, figure string) (int64, error) {
	r, err := d.ask("v=1&model="+name, "h100-sxm-80gb")
	if err != nil {
		return 0, err
	}
	p := &r.Parameters
	switch figure {
	case "total":
		return int64(p.Total), nil
	case "buffers":
		return int64(p.Buffers), nil
	case "repository":
		if p.Repository != nil {
			return int64(p.Repository.Total), nil
		}
	}
	for i, n := range p.ByRole {
		if model.Role(i).String() == figure {
			return int64(n), nil
		}
	}
	return 0, fmt.Errorf("%s has no figure %q", name, figure)
}
