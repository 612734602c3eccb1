package site_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// hostile makes links as somebody would who means harm, or whose program is broken.
// The same seed gives the same links.
type hostile struct {
	*rand.Rand
	configs []string // real ones, to be spoilt
}

// payloads run, load or leave something where they are taken for markup. Each sets pwned or leaves
// an element with the mark x-harm; the page of the test watches for both.
var payloads = []string{
	`<img x-harm src=x onerror=pwned=1>`, `<x-harm>`, `"><script x-harm>pwned=1</script>`, `'><svg x-harm onload=pwned=1>`, `</script><script x-harm>pwned=1</script>`,
	`</textarea><img x-harm src=x onerror=pwned=1>`, `</title><img x-harm src=x onerror=pwned=1>`, `" autofocus onfocus=pwned=1 x="`, `' onmouseover='pwned=1`,
	`javascript:pwned=1`, `JaVaScRiPt&colon;pwned=1`, `data:text/html,<script>pwned=1</script>`, `<a x-harm href="javascript:pwned=1">x</a>`,
	`<iframe x-harm srcdoc="<script>parent.pwned=1</script>">`, `<object x-harm data="javascript:pwned=1">`, `<base x-harm href="//harm.example/">`, `<meta x-harm http-equiv=refresh content="0;url=//harm.example/">`,
	`<style x-harm>*{display:none}</style>`, `<link x-harm rel=stylesheet href=//harm.example/x.css>`, `<form x-harm><input name=model><input name=elements></form>`, `<template x-harm><script>pwned=1</script></template>`,
	`<math x-harm><mtext><table><mglyph><style><!--</style><img x-harm src=x onerror=pwned=1>`, `<noscript><p title="</noscript><img x-harm src=x onerror=pwned=1>">`,
	`<svg x-harm><animate onbegin=pwned=1 attributeName=x dur=1s>`, `<details x-harm open ontoggle=pwned=1>`, `<!--><img x-harm src=x onerror=pwned=1>-->`, `]]><x-harm>`, `&lt;x-harm&gt;`, `&#60;x-harm&#62;`,
	"${pwned=1}", "{{constructor.constructor('pwned=1')()}}", "`-pwned=1-`", `\x3cx-harm\x3e`, `\u003cx-harm\u003e`, "\u2028pwned=1\u2029",
	"\x00<x-harm>", "\xff\xfe<x-harm>", "\xed\xa0\x80", "\xc0\xbcx-harm\xc0\xbe", "\u202egnp.exe\u202c", "\u2066\u2067\u2069", "\ufeff", "\u200b\u200d", "e\u0301\u0301\u0301", "\r\nSet-Cookie: x=1", "\x1b[31m", "\ufdfd\U0001f9d1\u200d\U0001f9af",
}

// names are keys that objects of the language have already, or that the page might mistake for its own.
var names = []string{"__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON", "then", "length", "elements", "submit", "__defineGetter__",
	"__proto__.polluted", "constructor.prototype.polluted", "__proto__.__proto__.polluted", "0", "-1", "", ".", "..", "a..b", ".a", "a.", "[0]", "layer_types.0", "text_config.__proto__.polluted", "rope_parameters.constructor"}

// numbers are where counting breaks: signs, fractions, the ends of int32, 2^53 and int64, and what is none.
var numbers = []string{"0", "-0", "-1", "1", "2", "0.5", "1.5", "1e3", "1e308", "1e309", "-1e400", "1e-400", "2147483647", "2147483648", "4294967296", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999999999", "NaN", "Infinity", "-Infinity", "null", "true", "[]", "{}", `""`, `"1"`, "[1,[2,[3]]]", "0x10", "1_000", "1,000", "１２", "٣", "1k", "1Qi", "1125899906842624", "1125899906842625", "08", "+5", " 5 ", "5%00"}

// keys are those of the query.
var keys = []string{"model", "context", "prompt", "batch", "chunk", "weights", "kv", "kv-policy", "attention", "flash", "device", "devices", "tp", "pp", "ep", "dp", "optimizer", "precision",
	"zero", "recompute", "seq", "micro-batch", "tokens", "lora-rank", "lora-targets", "units", "vs", "v"}

// sizes are keys of configs that shape the model.
var sizes = []string{"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "intermediate_size", "vocab_size", "n_layer", "n_embd", "n_head", "num_local_experts", "n_routed_experts",
	"num_experts_per_tok", "moe_intermediate_size", "first_k_dense_replace", "kv_lora_rank", "q_lora_rank", "qk_rope_head_dim", "sliding_window", "tie_word_embeddings", "layer_types", "d_model", "num_layers", "state_size", "conv_kernel",
	"torch_dtype", "quantization_config", "rope_scaling", "architectures", "model_type", "max_position_embeddings", "num_labels", "text_config", "_name_or_path", "hidden_act", "auto_map"}

func pick(h *hostile, list []string) string { return list[h.IntN(len(list))] }

// word is anything that may be in a key or a value.
func (h *hostile) word() string {
	switch h.IntN(6) {
	case 0, 1:
		return pick(h, payloads)
	case 2:
		return pick(h, names)
	case 3:
		return pick(h, numbers)
	case 4:
		return pick(h, numbers) + pick(h, payloads)
	}
	b := make([]byte, 1+h.IntN(40))
	for i := range b {
		b[i] = byte(h.Uint32())
	}
	return string(b)
}

// escape writes text into a query, in one of the ways that programs do, right and wrong.
func (h *hostile) escape(s string) string {
	switch h.IntN(5) {
	case 0:
		return url.QueryEscape(s)
	case 1: // every byte
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "%%%02x", s[i])
		}
		return b.String()
	case 2: // twice
		return url.QueryEscape(url.QueryEscape(s))
	case 3: // broken
		return url.PathEscape(s) + []string{"%", "%%", "%z", "%1", "%u003c", "%c0%bc", "%ff", "%ed%a0%80", "%00", "+", ";"}[h.IntN(11)]
	}
	// As it is, less what would end the query.
	return strings.NewReplacer("#", "%23", "&", "%26", "\n", "", "\r", "", "\t", "").Replace(s)
}

// key is a key of the query, or what poses as one.
func (h *hostile) key() string {
	switch h.IntN(6) {
	case 0, 1:
		return pick(h, keys)
	case 2:
		return "set." + pick(h, sizes)
	case 3:
		return "set." + h.escape(pick(h, names))
	case 4:
		return "set." + h.escape(h.word())
	}
	return h.escape(h.word())
}

// query is the part of a link behind "?".
func (h *hostile) query() string {
	switch h.IntN(12) {
	case 0: // long
		part := h.escape(pick(h, payloads)) + "&"[:h.IntN(2)]
		return []string{"v=1&model=", "v=1&set.x=", "v=1&", "", "model=gpt2&"}[h.IntN(5)] + strings.Repeat(part, 1+h.IntN(100_000)/(1+len(part)))
	case 1: // many keys
		return "v=1" + strings.Repeat("&"+h.key()+"="+h.escape(h.word()), 1+h.IntN(200))
	case 2: // one inside another
		return "v=1&set." + strings.Repeat("a.", h.IntN(120)) + "a=" + h.escape(strings.Repeat("[", h.IntN(3000)))
	case 3: // a size of the model that is shown
		return "v=1&model=" + pick(h, catalogue) + "&set." + pick(h, sizes) + "=" + h.escape(pick(h, numbers))
	case 4: // two models
		return "v=1&model=" + pick(h, catalogue) + "&vs=" + h.escape(h.word())
	}
	parts := []string{"v=1"}
	for range 1 + h.IntN(6) {
		parts = append(parts, h.key()+"="+h.escape(h.word()))
	}
	if h.IntN(4) == 0 { // twice
		parts = append(parts, parts...)
	}
	h.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, []string{"&", "&", "&", "&&", ";", "&=&"}[h.IntN(6)])
}

// fragment is the part of a link behind "#".
func (h *hostile) fragment() string {
	mark := [...]string{"#config=", "#config=", "#vs.config=", "#config=" + pack(h.config()) + "&vs.config="}[h.IntN(4)]
	switch h.IntN(9) {
	case 0:
		return "#" + h.escape(h.word()) // another fragment, or another's key
	case 1:
		return mark + h.escape(h.word())
	case 2: // no deflate, or cut off, or both
		packed := []byte(pack(h.config()))
		for range 1 + h.IntN(4) {
			packed[h.IntN(len(packed))] = byte(33 + h.IntN(94))
		}
		return mark + string(packed[:1+h.IntN(len(packed))])
	case 3: // unpacks to more than a thousand times its size
		return mark + bomb(`{"model_type":"gpt2","x":"`, 1<<20+h.IntN(40<<20))
	case 4: // too long
		return mark + strings.Repeat("A", 65_000+h.IntN(100_000))
	case 5: // deep
		n := 1 + h.IntN(400_000)
		return mark + pack(`{"model_type":"gpt2","x":`+strings.Repeat(`[`, n)+strings.Repeat("]", n)+"}")
	}
	return mark + pack(h.config())
}

// config is a real config that is spoilt, or none.
func (h *hostile) config() string {
	c := strings.TrimSpace(pick(h, h.configs))
	for range 1 + h.IntN(3) {
		value := pick(h, numbers)
		switch h.IntN(4) {
		case 0:
			value = quoted(h.word())
		case 1:
			value = "[" + strings.Repeat(quoted(h.word())+",", h.IntN(300)) + "1]"
		case 2:
			value = `{"` + pick(h, names) + `":{"polluted":1}}`
		}
		key := quoted(pick(h, sizes))
		if h.IntN(4) == 0 {
			key = quoted(h.word())
		}
		// First, so that it stands twice: JSON's readers disagree on which counts.
		c = "{" + key + ":" + value + "," + c[1:]
	}
	switch h.IntN(12) {
	case 0:
		return c[:h.IntN(len(c))]
	case 1:
		return h.word() + c
	case 2:
		return strings.ReplaceAll(c, `":`, pick(h, payloads)+`":`)
	}
	return c
}

// quoted is a JSON string, with some characters as escapes that stand for half a character.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\u0000`, "\xed", `\ud800`, "\xff", `\udfff\ud800`).Replace(s) + `"`
}

// pack writes a config as a link's fragment has it.
func pack(text string) string { return bomb(text, 0) }

// bomb is pack of text with spaces behind it. Of the spaces a million are packed, and what that gives is written as often as it takes.
func bomb(text string, spaces int) string {
	const million = 1 << 20
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a valid one
	}
	w.Write([]byte(text + strings.Repeat(" ", spaces%million))) // a bytes.Buffer takes everything
	if spaces >= million {
		w.Flush()
		before := b.Len()
		w.Write(bytes.Repeat([]byte(" "), million))
		w.Flush() // ends with a byte, so that it can stand there again
		b.Write(bytes.Repeat(b.Bytes()[before:], spaces/million-1))
	}
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// link is a whole address, less the host.
func (h *hostile) link() string {
	switch h.IntN(4) {
	case 0:
		return "/?" + h.query() + h.fragment()
	case 1:
		return "/" + h.fragment()
	}
	return "/?" + h.query()
}
