package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"llmsize/content/catalogue"
	"llmsize/core/checkpoint"
	"llmsize/core/compute"
	"llmsize/core/config"
	"llmsize/core/fault"
	"llmsize/core/jsonout"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/predict"
	"llmsize/core/quant"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/spell"
	"llmsize/core/timeline"
	"llmsize/core/train"
	"llmsize/core/units"
)

type reportWarning = fault.Warning

// count prints the parameters.
func (c *command) count() error {
	r, err := c.answer()
	if err != nil {
		return err
	}
	if c.json {
		t := r.Tree()
		_, err := io.WriteString(c.out, jsonout.Object("query", t.Get("query"), "model", t.Get("model"), "parameters", t.Get("parameters")).Indent())
		return err
	}
	var t table
	header(&t, r)
	parameters(&t, r)
	if err := t.write(c.out); err != nil {
		return err
	}
	return warnings(c, r)
}

// addPredictions predicts the run's speeds.
func addPredictions(r *report.Report) error {
	engines, err := catalogue.AllEngines()
	if err == nil {
		predict.Add(r, engines)
	}
	return err
}

// report prints everything.
func (c *command) report() error {
	r, err := c.answer()
	if err != nil {
		return err
	}
	r.Rank()
	if c.json {
		timeline.Add(r)
		timeline.AddInverse(r)
		timeline.AddChanges(r)
		if err := addPredictions(r); err != nil {
			return err
		}
		_, err := fmt.Fprint(c.out, r.JSON())
		return err
	}
	var t table
	header(&t, r)
	parameters(&t, r)
	unit := r.Query.Get(query.Units)
	put := func(label string, b units.Bytes) { t.row(label, b.String(), b.In(unit)) }
	t.gap()
	put("weights in "+r.Weights.Format, r.Weights.Bytes)
	if len(r.Weights.Types) > 1 {
		t.row("  bits per weight", r.Weights.BitsPerWeight(), "")
		for _, x := range r.Weights.Types {
			put(fmt.Sprintf("  %s, %s tensors, %s elements", x.Type, units.Group(x.Tensors), units.Group(x.Elements)), units.Bytes(x.Bytes))
		}
	}
	if r.Compute.Prefill.FLOPs > 0 {
		put(fmt.Sprintf("KV cache in %s, %s tokens × %s", r.Query.Get(query.KV), units.Group(r.Query.Int(query.Context)), units.Group(r.Query.Int(query.Batch)))+unsure(r), r.Cache.Bytes)
	}
	for _, x := range r.Cache.Terms {
		tokens := "once"
		if x.Tokens > 0 {
			tokens = units.Group(x.Tokens) + " tokens"
		}
		put(fmt.Sprintf("  %s: %s layers × %s × %s bytes", x.What, units.Group(x.Layers+x.Padding), tokens, units.Group(x.Each)), units.Bytes(x.Bytes))
	}
	t.gap()
	work := func(label string, f units.FLOPs) {
		if f > 0 {
			t.row(label+unsure(r), f.String(), f.Short())
		}
	}
	for _, u := range r.Compute.Units() {
		if u.Unknown != "" {
			t.row(unitTitle(u), "unknown FLOPs", "")
		}
		work(unitTitle(u), u.FLOPs)
	}
	work(fmt.Sprintf("prefill, %s tokens × %s", units.Group(r.Query.Int(query.Prompt)), units.Group(r.Query.Int(query.Batch))), r.Compute.Prefill.FLOPs)
	work("decode, one token for each sequence", r.Compute.Decode.FLOPs)
	work(fmt.Sprintf("training, %s tokens in sequences of %s", units.Group(r.Compute.Train.Tokens), units.Group(r.Query.Int(query.Seq))), r.Compute.Train.FLOPs)
	engines, err := catalogue.AllEngines()
	if err != nil {
		return err
	}
	a, known := predict.Run(r, engines)
	declared(&t, r, "compute", &a)
	trainingRun(&t, r)
	training(&t, r, unit)
	running(&t, r, &a)
	if known {
		predicted(&t, r, &a)
	}
	layouts(&t, r, unit)
	compared(&t, r)
	if err := t.write(c.out); err != nil {
		return err
	}
	return warnings(c, r)
}

// unsure marks what follows from more than the count: the notes say what is assumed.
func unsure(r *report.Report) string {
	if r.Exact() {
		return ""
	}
	return ", estimate"
}

// training prints what is trained and what the fullest device holds.
func training(t *table, r *report.Report, unit string) {
	x := &r.Training
	if x.Trainable > 0 {
		t.row("trainable parameters", x.Trainable.String(), x.Trainable.Short())
	}
	if x.Memory == nil {
		t.row("training memory: "+x.Fault.Error(), "", "")
		return
	}
	why, sure := peak(t, r, unit), unsure(r)
	if why != "" {
		sure = ", estimate"
	}
	l := &x.Question.Layout
	t.row(fmt.Sprintf("training memory, the sum of its parts, %s, %s, tp %d × pp %d × dp %d, ZeRO %d", x.Question.Optimizer.Title, x.Question.Precision.Name, l.TP, l.PP, l.DP, l.Zero)+sure,
		units.Bytes(x.Memory.Bytes).String(), units.Bytes(x.Memory.Bytes).In(unit))
	if why != "" {
		t.row("  an estimate: "+why, "", "")
	}
	t.row("  Φ, parameters that the device trains", x.Memory.Trained.String(), x.Memory.Trained.Short())
	for p, n := range x.Memory.Parts {
		if n > 0 {
			t.row("  "+train.Part(p).String(), units.Bytes(n).String(), units.Bytes(n).In(unit))
		}
		states(t, x.Memory, train.Part(p), unit)
	}
	if x.Memory.Host > 0 {
		t.row("  with the host", units.Bytes(x.Memory.Host).String(), units.Bytes(x.Memory.Host).In(unit))
	}
	declared(t, r, "training", &predict.Answer{})
	beyond(t, r.Beyond(), r.Query.Get(query.Units))
}

func header(t *table, r *report.Report) {
	name := r.Subject.Name
	if r.Subject.Slug == "" {
		name = r.Model.Type
	}
	t.row(name, "", "")
	status := r.Status()
	if r.Counted() != status {
		status = "the count exact, the rest an " + status
	}
	t.row(r.Model.Type+", "+r.Model.Class+", "+status, "", "")
	t.gap()
}

func parameters(t *table, r *report.Report) {
	p := &r.Parameters
	put := func(label string, n units.Params) { t.row(label, n.String(), n.Short()) }
	put("parameters", p.Total)
	for role, n := range p.ByRole {
		if n != 0 {
			t.row("  "+model.Role(role).String(), n.String(), units.Percent(int64(n), int64(p.Total)))
		}
	}
	if p.Buffers != 0 {
		put("buffers", p.Buffers)
	}
	if x := p.Repository; x != nil && x.Total != p.Total {
		put("in the published checkpoint", x.Total)
		for _, t := range x.Terms {
			put("  "+checkpoint.ReasonWords(t.Reason), t.Parameters)
		}
		if x.Missing > 0 {
			put("  buffers of the class that it lacks", x.Missing)
		}
	}
	if p.Active != p.Total {
		put("active per token", p.Active)
		put("  without embedding", p.ActiveWithoutEmbedding)
		put("  without embedding and head", p.ActiveWithoutEmbeddingAndHead)
	}
}

func warnings(c *command, r *report.Report) error {
	for _, w := range r.Warnings {
		if _, err := fmt.Fprintf(c.out, "note: %s\n", spell.Out(w.String())); err != nil {
			return err
		}
	}
	return nil
}

// tensors prints one line for each stored tensor.
func (c *command) tensors() error {
	r, err := c.answer()
	if err != nil {
		return err
	}
	for _, run := range r.Model.Runs() {
		t := run.Tensor
		shape := make([]string, len(t.Dims))
		for i, d := range t.Dims {
			shape[i] = units.Itoa(d.Size)
		}
		size := strings.Join(shape, "x")
		if size == "" {
			size = "-"
		}
		line := "\t" + size + "\t" + units.Itoa(t.Elements) + "\t" + t.Role.String() + "\n"
		run.Names(func(name string) {
			io.WriteString(c.out, spell.Out(name))
			io.WriteString(c.out, line)
		})
	}
	return nil
}

// link prints the canonical link.
func (c *command) link() error {
	q, s, _, err := c.subject()
	if err != nil {
		return err
	}
	// A link that cannot be answered is not worth sending.
	r, fail := report.Answer(q, s, c.lib)
	if fail == nil {
		fail = c.refused(r)
	}
	if fail != nil {
		return fail
	}
	link := strings.TrimRight(os.Getenv("SITE"), "/")
	if link != "" {
		link += "/"
	}
	link += "?" + q.String()
	carried := s.Slug == "" && !strings.Contains(q.Get(query.Model), "/") // a model of the hub is fetched again
	if carried {
		packed, err := pack([]byte(s.Config.JSON()))
		if err != nil {
			return err
		}
		link += "#config=" + packed
	}
	if q.VsPasted {
		packed, err := pack(c.second)
		if err != nil {
			return fmt.Errorf("vs.%w", err)
		}
		between := "#"
		if carried {
			between = "&"
		}
		link += between + "vs.config=" + packed
	}
	_, err = fmt.Fprintln(c.out, link)
	return err
}

// models prints the catalogue.
func (c *command) models() error {
	type row struct {
		Slug       string `json:"slug"`
		Name       string `json:"name"`
		Hub        string `json:"hub,omitempty"`
		Type       string `json:"model_type"`
		Parameters int64  `json:"parameters"`
		Status     string `json:"status"`
		Source     string `json:"source"`
		Date       string `json:"date"`
	}
	rows := []row{}
	for i := range c.cat.Models {
		m := &c.cat.Models[i]
		s, err := m.Subject()
		if err != nil {
			return err
		}
		r, fail := report.Answer(query.Query{}, s, c.lib)
		if fail != nil {
			return fmt.Errorf("models/%s.json: %w", m.Slug, fail)
		}
		rows = append(rows, row{m.Slug, m.Name, m.Hub, r.Model.Type, int64(r.Parameters.Total), r.Status(), m.Source.String(), m.Read})
	}
	if c.json {
		return c.writeJSON(rows)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%18s\t%s\t%s, %s\n", r.Slug, r.Type, units.Group(r.Parameters), r.Status, r.Source, r.Date)
	}
	return w.Flush()
}

// formats prints the recipes of weights and the formats of the cache.
func (c *command) formats() error {
	type row struct {
		Name    string   `json:"name"`
		Bits    int64    `json:"bits,omitempty"` // absent where tensors differ
		Meaning string   `json:"meaning"`
		For     []string `json:"for"`
		Source  string   `json:"source"`
	}
	var rows []row
	for _, r := range quant.Recipes() {
		x := row{r.Name, r.Bits, r.Text, []string{"weights"}, quant.SourceOf(&r)}
		if slices.Contains(query.KVFormats, r.Name) {
			x.For = append(x.For, "kv")
		}
		rows = append(rows, x)
	}
	for _, name := range query.KVFormats {
		f, _ := memory.FormatNamed(name)
		if _, known := quant.Named(name); !known {
			rows = append(rows, row{Name: name, Meaning: fmt.Sprintf("%d bytes for %d elements", f.Bytes, f.Block), For: []string{"kv"}, Source: "vLLM's cache formats"})
		}
	}
	if c.json {
		return c.writeJSON(rows)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		bits := "mixed"
		if r.Bits > 0 {
			bits = fmt.Sprintf("%d bits", r.Bits)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Name, bits, strings.Join(r.For, ", "), r.Meaning, r.Source)
	}
	return w.Flush()
}

// writeJSON writes rows by the one writer of JSON.
func (c *command) writeJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	read, fail := config.Parse(string(b))
	if fail != nil {
		return fail
	}
	_, err = io.WriteString(c.out, jsonout.Of(read).Indent())
	return err
}

// unitTitle says which picture, sound or window is counted, and what it takes in a prompt.
func unitTitle(u *report.UnitWork) string {
	title := fmt.Sprintf("a picture as %s × %s pixels", units.Group(u.Width), units.Group(u.Height))
	switch {
	case u.Kind == compute.Sound:
		title = "a sound of " + units.Seconds(float64(u.Millis)/1000).Short()
	case u.Kind == compute.Series:
		title = "a window of " + units.Group(u.Length) + " values"
		if u.Channels > 1 {
			title += " of " + units.Group(u.Channels) + " channels"
		}
	case u.Clip > 0:
		title = fmt.Sprintf("a clip of %s frames as %s × %s pixels", units.Group(u.Clip), units.Group(u.Width), units.Group(u.Height))
	}
	if u.Views > 1 {
		title += fmt.Sprintf(" × %s", units.Group(u.Views))
	}
	if u.Given > 0 {
		title += fmt.Sprintf(", %s tokens", units.Group(u.Given))
	}
	return title
}
