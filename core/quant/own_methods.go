package quant

import (
	"llmsize/core/config"
	"llmsize/core/fault"
)

// What each quantization method's own keys say. Keys of the activations are
// read by nobody here: weights are what is stored.

func isTrue(v *config.Value) bool { return v.Kind == config.Bool && v.Text == "true" }

// awq reads bits, group_size (-1 is a whole row).
func (o *ownReader) awq() {
	bits, group := intOf(o.q, 4, "bits", "w_bit"), intOf(o.q, 128, "group_size", "q_group_size")
	if bits != 4 && bits != 8 {
		o.warn("bits", "AWQ has 4 or 8 bits; counted as 4")
		bits = 4
	}
	name := "awq-g" + itoa(group)
	if bits != 4 {
		name = "awq " + itoa(bits) + "-bit g" + itoa(group)
	}
	o.use(name, awq(bits, group))
}

// gptq reads bits, group_size, desc_act, for GPTQ and for AutoRound in its
// layout.
func (o *ownReader) gptq(method string) {
	bits, group := intOf(o.q, 4, "bits", "w_bit"), intOf(o.q, 128, "group_size")
	if bits < 2 || bits > 8 {
		o.warn("bits", "GPTQ has 2 to 8 bits; counted as 4")
		bits = 4
	}
	order := isTrue(o.q.Get("desc_act"))
	name := "gptq-g" + itoa(group)
	if bits != 4 {
		name = "gptq " + itoa(bits) + "-bit g" + itoa(group)
	}
	if order {
		name += "-gidx"
	}
	s := gptq(bits, group, order)
	switch {
	case method != "gptq":
		name = "auto-round " + itoa(bits) + "-bit g" + itoa(group)
	case !order:
		o.warn("desc_act", "files by AutoGPTQ keep g_idx where it is false too, 4 bytes for each input of a matrix, which nothing needs and is not counted")
	}
	o.use(name, s)
	if d := o.q.Get("dynamic"); d.Kind == config.Object && len(d.Keys) > 0 {
		o.warn("dynamic", "rules for single modules are left out of account")
	}
}

// bitsandbytes reads load_in_4bit or load_in_8bit, the type and whether the
// scales are quantized too. It takes every linear layer but the head, in towers
// too.
func (o *ownReader) bitsandbytes() {
	q := o.q
	o.plan.towers = true
	if isTrue(q.Get("load_in_8bit")) || isTrue(q.Get("_load_in_8bit")) {
		o.use("llm-int8", llmInt8)
		return
	}
	kind, name := q.Get("bnb_4bit_quant_type").Text, "nf4"
	if kind == "fp4" || kind == "" {
		name = "fp4"
	}
	s := nf4(name, isTrue(q.Get("bnb_4bit_use_double_quant")))
	if s.second > 0 {
		name += "-dq"
	}
	o.use(name, s)
}

// fp8 reads weight_block_size: one scale for each square, or one a matrix.
// Where expert_dtype is fp4, beside it in the config, routed experts are MXFP4
// (DeepSeek-V4).
func (o *ownReader) fp8() {
	o.plan.towers = true
	block := o.q.Get("weight_block_size")
	switch {
	case len(block.Items) == 2:
		a, ok1 := block.Items[0].Int()
		b, ok2 := block.Items[1].Int()
		if !ok1 || !ok2 || a < 1 || a != b {
			o.warn("weight_block_size", fault.Clip(block.JSON(), 40)+" isn't a square of elements; counted as [128, 128]")
			a = 128
		}
		s := fp8Block(a, 32)
		name := "fp8-block"
		if a != 128 {
			name = s.name
		}
		o.use(name, s)
	default:
		o.use("fp8 scaled", fp8Tensor)
	}
	rest := group{modules{all: true}, o.plan.linear}
	switch {
	case o.q.Get("quantized_layers").Kind == config.Object:
		// Model Optimizer took some modules of an FP8 checkpoint further; those on
		// its list of what to ignore stay FP8.
		o.layers()
		o.plan.own.groups = append(o.plan.own.groups, rest)
		o.name, o.asIs = o.name+", mixed", true
	case o.top.Get("expert_dtype").Text == "fp4":
		experts := mxfp4
		o.plan.own.groups = []group{{listModules([]string{"experts"}), &experts}, rest}
		o.name += ", experts mxfp4"
	}
}

// compressed reads compressed-tensors' groups: which modules, and how.
func (o *ownReader) compressed() {
	o.plan.towers, o.plan.head = true, true
	format := o.q.Get("format").Text
	groups := o.q.Get("config_groups")
	for i := range groups.Vals {
		g := &groups.Vals[i]
		f := g.Get("format").Text
		if f == "" {
			f = format
		}
		s, ok := compressedScheme(g.Get("weights"), f)
		if !ok {
			o.warn("config_groups."+groups.Keys[i], "is not understood; its modules are counted in "+o.plan.rest.Name)
			continue
		}
		o.group(texts(g.Get("targets")), s)
	}
	o.finish("compressed-tensors")
}

// group adds modules that share a scheme. Class names other than Linear stand
// for all, as in files that name a fused layer's class.
func (o *ownReader) group(targets []string, s scheme) {
	of := listModules(targets)
	if of.empty() {
		of.all = true
	}
	o.plan.own.groups = append(o.plan.own.groups, group{of, &s})
	if o.plan.linear == nil {
		o.plan.linear = &s
	}
}

// finish names a recipe of groups.
func (o *ownReader) finish(by string) {
	if o.plan.linear == nil {
		return
	}
	o.name = by + " " + o.plan.linear.name
	if len(o.plan.own.groups) > 1 {
		o.name = by + ", mixed"
	}
	for _, r := range hub {
		if s := r.plan.linear; by == "compressed-tensors" && len(o.plan.own.groups) == 1 && *s == *o.plan.linear && (r.Name == "w4a16-g128" || r.Name == "w8a8") {
			o.name = r.Name
		}
		if len(o.plan.own.groups) <= 1 && r.Name == "nvfp4" && *r.plan.linear == *o.plan.linear {
			o.name = r.Name
		}
	}
}

// compressedScheme reads a group's weights: num_bits, type, strategy,
// group_size, block_structure, symmetric, actorder. Scales are in 16 bits, those
// of NVFP4 and MXFP4 in eight.
func compressedScheme(w *config.Value, format string) (scheme, bool) {
	bits := intOf(w, 0, "num_bits")
	size := intOf(w, -1, "group_size")
	strategy := w.Get("strategy").Text
	if strategy == "" && size > 0 {
		strategy = "group"
	}
	switch {
	case w.Kind != config.Object || bits < 2 || bits > 16:
		return scheme{}, false
	case w.Get("type").Text == "float" && bits == 4:
		if format == "mxfp4-pack-quantized" || size == 32 {
			return mxfp4, true
		}
		return nvfp4, true
	case w.Get("type").Text == "float" && bits == 8:
		switch strategy {
		case "channel":
			return rows8("fp8 rows", 16), true
		case "block":
			if side := w.Get("block_structure").Items; len(side) == 2 {
				a, _ := side[0].Int()
				if b, _ := side[1].Int(); a == b && a > 0 {
					return fp8Block(a, 16), true
				}
			}
			return scheme{}, false
		case "group":
			if size == 32 {
				return mxfp8, true
			}
			return scheme{}, false
		}
		s := fp8Tensor
		s.scale = 16
		return s, true
	case w.Get("type").Text == "float":
		return scheme{}, false
	case bits == 8 && format != "pack-quantized" && strategy != "group":
		if strategy == "tensor" {
			return scheme{name: "int8 scaled", bits: 8, scale: 16}, true
		}
		return w8a8, true
	}
	if strategy != "group" {
		size = -1
	}
	order := w.Get("actorder").Text == "group" || isTrue(w.Get("actorder"))
	return packed(bits, size, !(w.Get("symmetric").Kind == config.Bool && w.Get("symmetric").Text == "false"), order), true
}

// modelopt reads what NVIDIA's TensorRT Model Optimizer writes: one algorithm
// for all, groups with their modules, or one for each module.
func (o *ownReader) modelopt(algo string) {
	o.plan.towers, o.plan.head = true, true
	switch {
	case o.q.Get("quantized_layers").Kind == config.Object:
		o.layers()
	case o.q.Get("config_groups").Kind == config.Object:
		groups := o.q.Get("config_groups")
		for i := range groups.Vals {
			w := groups.Vals[i].Get("weights")
			s, ok := compressedScheme(w, "")
			if !ok {
				o.warn("config_groups."+groups.Keys[i], "is not understood; its modules are counted in "+o.plan.rest.Name)
				continue
			}
			if s.spread == perMatrix {
				s = fp8Tensor
			}
			o.group(texts(groups.Vals[i].Get("targets")), s)
		}
	default:
		s, ok := algorithm(algo)
		if !ok {
			o.warn("quant_algo", fault.Clip(algo, 40)+" is not an algorithm that is known here; the bytes are those of the tensors in "+o.plan.rest.Name)
			return
		}
		o.group(nil, s)
	}
	o.finish("modelopt")
}

// layers reads an algorithm for each module.
func (o *ownReader) layers() {
	layers := o.q.Get("quantized_layers")
	var algos []string
	var lists [][]string
	for i, name := range layers.Keys {
		algo := layers.Vals[i].Get("quant_algo").Text
		if _, ok := algorithm(algo); !ok {
			o.warn("quantized_layers."+name, "names the algorithm "+fault.Clip(algo, 40)+", which is not known here; its module is counted in "+o.plan.rest.Name)
			continue
		}
		at := 0
		for at < len(algos) && algos[at] != algo {
			at++
		}
		if at == len(algos) {
			algos, lists = append(algos, algo), append(lists, nil)
		}
		lists[at] = append(lists[at], name)
	}
	for i, algo := range algos {
		s, _ := algorithm(algo)
		o.group(lists[i], s)
	}
}

// algorithm is the scheme behind the name of one of Model Optimizer's.
func algorithm(name string) (scheme, bool) {
	switch name {
	case "NVFP4", "W4A16_NVFP4", "W4A8_NVFP4_FP8", "NVFP4_AWQ":
		return nvfp4, true
	case "FP8":
		return fp8Tensor, true
	case "FP8_PB_WO", "FP8_PB", "FP8_BLOCK_SCALES":
		return fp8b128, true
	case "FP8_PER_CHANNEL_PER_TOKEN":
		return rows8("fp8 rows", 32), true
	case "MXFP8":
		return mxfp8, true
	case "MXFP4", "W4A8_MXFP4_FP8":
		return mxfp4, true
	case "W4A16_AWQ", "W4A8_AWQ":
		return packed(4, 128, true, false), true
	case "INT8_SQ", "W8A8_SQ_PER_CHANNEL":
		return w8a8, true
	case "W8A16":
		return w8a8, true
	}
	return scheme{}, false
}
