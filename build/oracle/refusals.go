package oracle

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Refusal is a config of a type's defaults with one value changed, and what the
// class makes of it.
type Refusal struct {
	ModelType, Architecture string
	Key                     string
	Value                   json.RawMessage
	Built                   bool
	Parameters              int64 // where it is built
}

// Config is the config as a file would hold it.
func (r Refusal) Config() string {
	return fmt.Sprintf(`{"model_type":%q,"architectures":[%q],%q:%s}`, r.ModelType, r.Architecture, r.Key, r.Value)
}

// FormatRefusals writes them, those of one class under its line:
//
//	llama LlamaForCausalLM
//	 hidden_size 4097 refused
//	 num_hidden_layers 33 6940808192
func FormatRefusals(list []Refusal) []byte {
	var b strings.Builder
	last := ""
	for _, r := range list {
		if head := r.ModelType + " " + r.Architecture; head != last {
			last = head
			b.WriteString(head + "\n")
		}
		what := "refused"
		if r.Built {
			what = strconv.FormatInt(r.Parameters, 10)
		}
		fmt.Fprintf(&b, " %s %s %s\n", r.Key, r.Value, what)
	}
	return []byte(b.String())
}

// ParseRefusals reads what FormatRefusals writes; an error begins with its line.
func ParseRefusals(text string) ([]Refusal, error) {
	var out []Refusal
	var r Refusal
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(strings.TrimPrefix(line, " "), " ")
		if !strings.HasPrefix(line, " ") {
			if len(f) != 2 {
				return nil, fmt.Errorf("%d: a type and a class are wanted", i+1)
			}
			r.ModelType, r.Architecture = f[0], f[1]
			continue
		}
		if len(f) != 3 || !json.Valid([]byte(f[1])) {
			return nil, fmt.Errorf("%d: a key, a value without spaces and an outcome are wanted", i+1)
		}
		r.Key, r.Value, r.Built, r.Parameters = f[0], json.RawMessage(f[1]), f[2] != "refused", 0
		if r.Built {
			var err error
			if r.Parameters, err = strconv.ParseInt(f[2], 10, 64); err != nil {
				return nil, fmt.Errorf("%d: %w", i+1, err)
			}
		}
		out = append(out, r)
	}
	return out, nil
}
