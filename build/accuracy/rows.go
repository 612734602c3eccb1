package accuracy

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"

	"llmsize/build/oracle"
	"llmsize/content"
	"llmsize/content/catalogue"
	"llmsize/core/predict"
	"llmsize/core/query"
	"llmsize/core/report"
)

//go:embed rates/*.txt
var rateFiles embed.FS

// kind is what a run measures.
type kind int

const (
	decode kind = iota
	prefill
	token // seconds between tokens, under load
	first // seconds to the first token, under load
	training
	kinds
)

var kindNames = [kinds]string{"decode", "prefill", "token", "first", "training"}

// run is one measured run, with all that the model needs to predict it.
type run struct {
	kind                          kind
	engine, device, family, maker string
	model, weights, source, date  string
	fit                           bool
	question                      string  // the run's, as a link has it
	amount                        float64 // of what the source counts in seconds: see rate
	seconds                       float64 // measured: of a step, of a prefill, of a token, until the first one
	work                          *predict.Work
	rate, served                  float64 // FLOP/s: of predict.Scale, of predict.Arithmetic
	bound                         predict.Bound
	link                          float64 // bytes a second of the device's link
	batch, users, prompt, output  float64
	chunk                         float64 // tokens that a prefill reads at once; 0: all
	cache, scores, fresh          float64 // bytes of a sequence; FLOPs of a prefill's scores after what is cached, and after nothing
	context, bytes                float64
	training                      predict.Layout
	undisturbed                   bool // no prompt is read between steps of decoding
}

// fitDesk answers what the rows ask about.
type fitDesk struct {
	desk
	library *predict.Library
	reports map[string]*report.Report
}

// loadRuns reads the tables. left says why runs were left out.
func loadRuns() (runs []*run, left map[string]int, err error) {
	d := &fitDesk{library: &predict.Library{}, reports: map[string]*report.Report{}}
	if d.catalogue, err = catalogue.AllModels(); err != nil {
		return nil, nil, err
	}
	if d.devices, err = catalogue.AllDevices(); err != nil {
		return nil, nil, err
	}
	text, err := fs.ReadFile(content.FS(), "engines/families.toml")
	if err != nil {
		return nil, nil, err
	}
	if fail := d.library.Add("families.toml", string(text)); fail != nil {
		return nil, nil, fail
	}
	return d.load()
}

// ask answers for a model on a device.
func (d *fitDesk) ask(model, weights, device, tp, pp string) (*report.Report, error) {
	link := "v=1&model=" + model + "&weights=" + weights + "&device=" + device + "&context=1024"
	if tp != "1" {
		link += "&tp=" + tp
	}
	if pp != "1" {
		link += "&pp=" + pp
	}
	if r := d.reports[link]; r != nil {
		return r, nil
	}
	r, err := d.desk.ask(link, device)
	if err != nil {
		return nil, err
	}
	d.reports[link] = r
	return r, nil
}

// load is [loadRuns] of what was read.
func (d *fitDesk) load() (runs []*run, left map[string]int, err error) {
	left = map[string]int{}
	number := func(s string) float64 {
		x, e := strconv.ParseFloat(s, 64)
		if e != nil && s != "" && err == nil {
			err = fmt.Errorf("%q isn't a number", s)
		}
		return x
	}
	start := func(row oracle.Row) *run {
		r, e := d.ask(row["model"], row["weights"], row["device"], row["tp"], row["pp"])
		if e != nil {
			if err == nil {
				err = e
			}
			return nil
		}
		w, ok := predict.Of(r)
		if !ok {
			left["a layout that the model cannot have"]++
			return nil
		}
		on := r.Running.Device
		x := &run{engine: row["engine"], device: row["device"], maker: on.Maker, model: row["model"], weights: row["weights"], source: row["source"], date: row["date"],
			fit: row["use"] == "fit", work: &w, link: float64(on.LinkRate), rate: predict.Scale(on, row["engine"], row["weights"]), served: predict.Arithmetic(on, row["weights"]), bytes: float64(r.Weights.Bytes) / (w.TP * w.PP)}
		x.bound.Rate, x.bound.Format = predict.Ceiling(on, row["engine"], row["weights"])
		if f := d.library.Family(row["device"]); f != nil {
			x.family = f.Name
		}
		if gib := number(row["file_gib"]); gib > 0 {
			k := gib * (1 << 30) / float64(r.Weights.Bytes)
			w.Always, w.Experts = w.Always*k, w.Experts*k
			x.bytes *= k
		}
		return x
	}
	rows, err := oracle.LoadTable(rateFiles, "rates/inference.txt")
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if row["use"] == "aside" {
			left[row["why"]]++
			continue
		}
		x := start(row)
		if x == nil {
			continue
		}
		x.batch, x.context, x.prompt = number(row["batch"]), number(row["context"]), number(row["prompt"])
		x.cache = x.work.Cache(int64(x.context))
		rate := number(row["tokens_per_second"])
		ask := []string{"context", row["context"], "batch", row["batch"], "engine", row["engine"], "tp", row["tp"], "pp", row["pp"]}
		if row["phase"] == "decode" {
			x.kind, x.seconds, x.amount = decode, 1/rate, 1
			x.question = question(row, ask...)
		} else {
			x.kind, x.seconds, x.amount = prefill, x.prompt*x.batch/rate, x.prompt*x.batch
			if x.chunk = number(row["chunk"]); x.chunk == 0 {
				x.chunk = engineOf(x.engine).chunk
			}
			x.question = question(row, append(ask, "prompt", row["prompt"], "chunk", row["chunk"])...)
			x.scores = x.work.Scores(int64(x.prompt), int64(x.context-x.prompt))
			if x.rate == 0 {
				left["prefills on a device whose rate nobody states"]++
				continue
			}
		}
		runs = append(runs, x)
	}
	if rows, err = oracle.LoadTable(rateFiles, "rates/serving.txt"); err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		x := start(row)
		if x == nil || x.served == 0 {
			continue
		}
		x.kind, x.users, x.prompt, x.output = token, number(row["users"])/number(row["dp"]), number(row["prompt"]), number(row["output"])
		x.context = x.prompt + float64(int64(x.output)/2)
		x.cache, x.fresh = x.work.Cache(int64(x.context)), x.work.Scores(int64(x.prompt), 0)
		x.seconds = number(row["tpot_ms"]) / 1e3
		short := row["load"] == "short"
		if x.undisturbed = row["load"] != "" && !short; row["load"] == "apart" {
			// Of a user's time only the part of the later tokens is spent at this server (Little's law).
			later := (x.output - 1) * x.seconds
			x.users = max(x.users*later/(number(row["ttft_ms"])/1e3+later), 1)
		}
		x.question = question(row, "context", strconv.Itoa(int(x.prompt+x.output)), "prompt", row["prompt"], "engine", row["engine"], "users", row["users"], "output", row["output"], "tp", row["tp"], "pp", row["pp"], "dp", row["dp"])
		if x.undisturbed {
			x.question = question(row, "context", strconv.Itoa(int(x.context)), "engine", row["engine"], "batch", strconv.Itoa(int(x.users+0.5)), "tp", row["tp"])
		}
		runs = append(runs, x)
		if short {
			left["a server with one place fewer than users: first tokens wait for it"]++
		} else if row["ttft_ms"] != "" && !x.undisturbed {
			y := *x
			y.kind, y.seconds = first, number(row["ttft_ms"])/1e3
			runs = append(runs, &y)
		}
	}
	if rows, err = oracle.LoadTable(rateFiles, "rates/training.txt"); err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		plain := oracle.Row{"engine": row["program"], "source": row["source"], "use": row["use"], "model": row["model"], "weights": row["weights"], "device": row["device"], "tp": "1", "pp": "1"}
		x := start(plain)
		if x == nil || x.served == 0 {
			continue
		}
		tp, pp, cp := number(row["tp"]), number(row["pp"]), number(row["cp"])
		x.kind = training
		x.training = predict.Layout{FLOPs: x.work.Learning(int64(number(row["seq"]))), Rate: x.served, Beyond: d.library.Beyond(row["device"], tp*number(row["ep"])),
			Tokens: number(row["micro_batch"]) * number(row["seq"]), TP: tp, CP: cp, PP: pp, VP: max(number(row["vp"]), 1), Link: x.link}
		if row["global_batch"] != "" {
			x.training.Micro = number(row["global_batch"]) * tp * pp * cp / (number(row["devices"]) * number(row["micro_batch"]))
		}
		x.seconds, x.amount = 1/number(row["tokens_per_second"]), 1
		x.question = question(row, "devices", row["devices"], "tp", row["tp"], "pp", row["pp"], "ep", row["ep"], "seq", row["seq"], "micro-batch", row["micro_batch"], "cp", row["cp"], "vp", row["vp"], "global-batch", row["global_batch"], "program", row["program"])
		runs = append(runs, x)
	}
	return runs, left, err
}

// question is a run's question in canonical form: of what is asked what a link can say.
func question(row oracle.Row, asked ...string) string {
	var q query.Query
	for i := 0; i < len(asked); i += 2 {
		if p, ok := query.ParamNamed(asked[i]); ok && asked[i+1] != "" && asked[i+1] != "0" {
			q.Put(p, asked[i+1]) // a program or an engine that links do not name is left out
		}
	}
	for _, key := range []string{"model", "weights", "device"} {
		p, _ := query.ParamNamed(key)
		q.Put(p, row[key])
	}
	return q.String()
}
