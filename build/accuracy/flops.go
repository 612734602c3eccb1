package accuracy

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"llmsize/build/oracle"
	"llmsize/core/units"
)

// gpt3Table is table D.1 of GPT-3's paper, row by row.
func gpt3Table(b *bytes.Buffer, d *desk) error {
	rows, err := oracle.LoadTable(files, "gpt3.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("gpt3"))
	for _, r := range rows {
		counted, err := d.count(r["config"], "2048", "parameters")
		if err != nil {
			return err
		}
		var n [4]float64
		for i, key := range []string{"millions", "billions", "factor", "flops"} {
			if n[i], err = value(r[key]); err != nil {
				return fmt.Errorf("gpt3.txt: %s: %w", r["model"], err)
			}
		}
		sci := func(x float64) string { return strings.Replace(strconv.FormatFloat(x, 'e', 2, 64), "e+", "e", 1) }
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", r["model"], r["millions"], units.Group(int64(counted)), r["billions"], r["flops"],
			sci(n[2]*n[0]*1e6*n[1]*1e9), sci(n[2]*counted*n[1]*1e9), r["why"])
	}
	return nil
}

// published is a printed figure and what the engine gives for it.
type published struct {
	oracle.Row
	counted, printed float64
}

func (x *published) off() float64 { return x.counted/x.printed - 1 }

// agrees reports whether a row comes out: to a percent, or to the last digit of
// the figure that is printed.
func (x *published) agrees() bool {
	return math.Abs(x.off()) <= max(0.01, lastDigit(x.Row["printed"]))
}

// lastDigit is half a unit of the last digit of a sum's first number, as a share
// of that number: 0.03 for "1.6e23*1e-21".
func lastDigit(s string) float64 {
	if i := strings.IndexAny(s, "*/"); i >= 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, "e")
	half := 0.5
	if _, decimals, ok := strings.Cut(s, "."); ok {
		half /= math.Pow10(len(decimals))
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n == 0 {
		return 0
	}
	return half / n
}

func runRows(d *desk) ([]published, error) {
	rows, err := oracle.LoadTable(files, "runs.txt")
	if err != nil {
		return nil, err
	}
	var out []published
	for _, r := range rows {
		x := published{Row: r}
		each, err := d.count(r["model"], r["seq"], r["convention"])
		if err != nil {
			return nil, err
		}
		times, err := value(r["times"])
		if err != nil {
			return nil, fmt.Errorf("runs.txt: %s: %w", r["times"], err)
		}
		if x.printed, err = value(r["printed"]); err != nil {
			return nil, fmt.Errorf("runs.txt: %s: %w", r["printed"], err)
		}
		x.counted = each * times
		out = append(out, x)
	}
	return out, nil
}

// conventionWords say what a convention of the tables counts.
const conventionWords = "`6nd` is 6 for each parameter; `palm` adds 12·L·a·d·s, for all pairs of tokens; `model` is three times the\n" +
	"products and the pairs that the mask lets through, `model-full` all pairs; `megatron` recomputes the layers, `korthikanti` the scores."

func runTable(b *bytes.Buffer, d *desk) error {
	rows, err := runRows(d)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, words("runs"), conventionWords)
	agree := 0
	all := make([]oracle.Row, len(rows))
	for i := range rows {
		x := &rows[i]
		all[i] = x.Row
		if x.agrees() {
			agree++
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %+.2f%% | %s |\n", x.Row["source"], strings.TrimSuffix(x.Row["model"], "-learned"), x.Row["seq"], x.Row["run"], x.Row["convention"], x.Row["quantity"],
			five(x.printed), five(x.counted), 100*x.off(), x.Row["why"])
	}
	sources, err := d.cited(all)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%d of %d figures agree within 1%% or the last printed digit. The others say why they don't. Sources: %s\n", agree, len(rows), sources)
	return nil
}

// five writes five significant digits without an exponent.
func five(x float64) string {
	decimals := 4 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', min(max(decimals, 0), 4), 64)
}

// hourTable turns device hours into the utilisation that they imply.
func hourTable(b *bytes.Buffer, d *desk) error {
	rows, err := oracle.LoadTable(files, "hours.txt")
	if err != nil {
		return err
	}
	b.WriteString(words("hours"))
	for _, r := range rows {
		var n [3]float64
		for i, key := range []string{"tokens", "hours", "peak"} {
			if n[i], err = value(r[key]); err != nil {
				return fmt.Errorf("hours.txt: %s: %w", r["model"], err)
			}
		}
		fmt.Fprintf(b, "| %s | %.1f T | %s | %s | %.0f |", r["model"], n[0]/1e12, r["hours"], r["device"], n[2]/1e12)
		for _, c := range []string{"6nd", "palm", "model"} {
			each, err := d.count(r["model"], r["seq"], c)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, " %.1f%% |", 100*each*n[0]/(n[1]*3600*n[2]))
		}
		energy := ""
		if r["mwh"] != "" {
			watts, err := value(r["watts"])
			if err != nil {
				return fmt.Errorf("hours.txt: %s: %w", r["model"], err)
			}
			energy = fmt.Sprintf("%.1f", n[1]*watts*1.1/1e6)
		}
		fmt.Fprintf(b, " %s | %s |\n", energy, r["mwh"])
	}
	sources, err := d.cited(rows)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\nDeepSeek-V3 multiplies in 8 bits, at twice the peak; an H800 has an H100's peak. Llama 3.1's model cards give about 15 T tokens. Sources: %s\n", sources)
	return nil
}
