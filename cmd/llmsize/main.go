// Command llmsize answers in a terminal what the site answers in a page: where
// a model's numbers come from, and what they are exactly.
//
// Exit status: 0 answered; 1 the model or a key=value cannot be answered, with
// what, where, why and what is allowed on standard error; 2 wrong usage.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"llmsize/content/catalogue"
	"llmsize/core/family/families"
	"llmsize/core/spell"
)

const usage = `llmsize: where a model's numbers come from, and what they are exactly

  llmsize count   [--json] MODEL [key=value …]   parameters
  llmsize tensors          MODEL [key=value …]   one line a stored tensor: name, shape, elements, role
  llmsize report  [--json] MODEL [key=value …]   everything, for the query
  llmsize link             MODEL [key=value …]   the canonical link (SITE puts a host before it)
  llmsize verify  [--json] FOLDER|FILE|ID        config against checkpoint
  llmsize explain [--json] MODEL FIGURE [key=value …]   one figure, taken apart down to keys of the config; FIGURE is a path of report --json
  llmsize keys    [--json]                       every key of a question: default, meaning, what is allowed
  llmsize models  [--json]                       the catalogue, with sources
  llmsize devices [--json]                       accelerators and machines, with sources
  llmsize formats [--json]                       formats of weights and cache
  llmsize fits    [--json] [key=value …]         the models that fit a device: device=rtx-4090-24gb weights=q4_k_m

MODEL is, tried in this order: - (a config on standard input); a share link or its query (http…, ?…, v=…);
an existing file or folder (a config.json, a folder with one, an index, safetensors, GGUF); a catalogue slug (llama-3.1-8b);
a hub id: owner/name, owner/name@revision, owner/name:Q4_K_M for one of several GGUF files. It is looked for in the catalogue,
in the hub's local cache, then over the network; hf:owner/name passes the catalogue over. HF_ENDPOINT and HF_TOKEN hold.
key=value overrides the link: context=8192 batch=1 weights=bf16 kv=bf16 set.num_hidden_layers=40 …

  llmsize count llama-3.1-8b
  llmsize report qwen3-0.6b context=32768 kv=fp8
  llmsize report llama-2-7b vs=llama-3.1-8b      two models; vs.context=32768 one model asked otherwise
  llmsize explain llama-3.1-8b memory.kv_cache.bytes
  llmsize tensors ./config.json | sort -t"$(printf '\t')" -k3 -n -r | head
`

// errUsage is a wrong call: exit status 2.
var errUsage = errors.New("usage")

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its streams, for tests.
func run(args []string, in io.Reader, stdout, stderr io.Writer) int {
	out, errs := newOutput(stdout), newOutput(stderr)
	code, err := obey(args, in, out)
	// What was not written was not answered, whatever else is wrong.
	if failed := out.close(); failed != nil && err == nil {
		code, err = 1, failed
	}
	if err != nil {
		fmt.Fprintf(errs, "llmsize: %s\n", spell.Out(inTerminal(err).Error()))
	} else if code == 2 {
		fmt.Fprint(errs, usage)
	}
	errs.close() // nobody is left to tell
	return code
}

// obey does what the arguments say. It returns the exit status and what to tell about it; a status of 2 without
// an error asks for the usage.
func obey(args []string, in io.Reader, out *output) (int, error) {
	if len(args) == 0 {
		return 2, nil
	}
	verb, rest := args[0], args[1:]
	if verb == "help" || verb == "-h" || verb == "--help" {
		fmt.Fprint(out, usage)
		return 0, nil
	}
	do, ok := verbs[verb]
	if !ok {
		return 2, fmt.Errorf("%q is not a verb; allowed: count, tensors, report, link, verify, explain, keys, models, devices, formats, fits; llmsize --help says more", verb)
	}
	cat, err := catalogue.AllModels()
	if err != nil {
		return 1, err
	}
	c := &command{in: in, out: out, lib: families.Library(), cat: cat}
	for _, a := range rest {
		switch {
		case a == "--json" || a == "-json":
			c.json = true
		case a == "--help" || a == "-h":
			fmt.Fprint(out, usage)
			return 0, nil
		case len(a) > 1 && a[0] == '-':
			return 2, fmt.Errorf("%s is not a flag; allowed: --json, --help", a)
		default:
			c.args = append(c.args, a)
		}
	}
	switch err := do(c); {
	case err == nil:
		return 0, nil
	case errors.Is(err, errDiffers):
		return 1, nil
	case errors.Is(err, errUsage):
		return 2, err
	default:
		return 1, err
	}
}

var verbs = map[string]func(*command) error{
	"count": (*command).count, "tensors": (*command).tensors, "report": (*command).report, "link": (*command).link,
	"verify": (*command).verify, "models": (*command).models, "devices": (*command).devices, "formats": (*command).formats, "fits": (*command).fits,
	"explain": (*command).explain, "keys": (*command).keys,
}
