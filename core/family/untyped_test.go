package family_test

import (
	"strings"
	"testing"

	"llmsize/core/config"
	"llmsize/core/family"
	"llmsize/core/family/families"
)

// TestUntyped: a config without a type is of the type whose class it names, and says
// so; a class that no type has does not help.
func TestUntyped(t *testing.T) {
	lib := families.Library()
	packed, fail := lib.Pack(families.Names())
	if fail != nil {
		t.Fatal(fail)
	}
	page := family.NewLibrary()
	page.AddPacked(packed)
	for class, want := range map[string]string{"OpenMoeForCausalLM": "openmoe", "GPT2LMHeadModel": "gpt2", "NopeForCausalLM": ""} {
		config := `{"architectures":["` + class + `"]}`
		m, err := describe(t, lib, config)
		if in, fail := describe(t, page, config); (fail == nil) != (err == nil) || fail == nil && in.Type != m.Type {
			t.Errorf("%s: packed, it is %v, %v", class, in, fail)
		}
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "model_type: must be given")):
			t.Errorf("%s: %v", class, err)
		case want != "" && err != nil:
			t.Errorf("%s: %v", class, err)
		case want != "" && (m.Type != want || m.Class != class || !m.Exact() || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Text, "is absent")):
			t.Errorf("%s: %s %s %v", class, m.Type, m.Class, m.Warnings)
		}
	}
}

// TestElsewhere: where auto_map names code whose type a family is, that family answers, and it says so. A page that holds
// the file of the config's own type alone is told which it needs.
func TestElsewhere(t *testing.T) {
	const first, later = "jinaai/jina-bert-implementation--", "jinaai/jina-bert-v2-qk-post-norm--"
	lib := families.Library()
	packed, fail := lib.Pack([]string{"bert"})
	if fail != nil {
		t.Fatal(fail)
	}
	page := family.NewLibrary()
	page.AddPacked(packed)
	for _, c := range []struct {
		config, model, is string
		exact             bool
	}{
		{first + "configuration_bert.JinaBertConfig", first + "modeling_bert.JinaBertModel", "jina_bert", true},
		{later + "configuration_bert.JinaBertConfig", later + "modeling_bert.JinaBertModel", "jina_bert", true},
		{"configuration_bert.JinaBertConfig", first + "modeling_bert.JinaBertModel", "jina_bert", true},
		{"configuration_bert.JinaBertConfig", "modeling_bert.JinaBertModel", "jina_bert", false}, // which of the two it is a copy of, nothing says
		{"configuration_bert.BertConfig", "modeling_bert.BertModel", "bert", true},
	} {
		text := `{"model_type":"bert","architectures":["JinaBertModel"],"auto_map":{"AutoConfig":"` + c.config + `","AutoModel":"` + c.model + `"}}`
		if c.is == "bert" {
			text = strings.Replace(text, "JinaBert", "Bert", 1)
		}
		m, err := describe(t, lib, text)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, w := range m.Warnings {
			said = said || w.Field == "auto_map" && strings.Contains(w.Text, "JinaBERT")
		}
		if m.Type != c.is || m.Exact() != c.exact || said != (c.is != "bert") {
			t.Errorf("%s: %s, %v, %v", text, m.Type, m.Exact(), m.Warnings)
		}
		if cfg, err := config.ParseObject(text); err != nil {
			t.Fatal(err)
		} else if _, fail := family.Describe(cfg, page); (fail == nil) != (c.is == "bert") || fail != nil && fail.Need != c.is {
			t.Errorf("%s: a page with bert alone: %v", text, fail)
		}
	}
}

// TestAdapters: what Jina's XLM-RoBERTa learns for each task is counted where auto_map names the model that has it. Where
// another is named it is not there, and where none is, the count is an estimate.
func TestAdapters(t *testing.T) {
	const code = "jinaai/xlm-roberta-flash-implementation--"
	lib := families.Library()
	for _, c := range []struct {
		model string
		added int64 // 4 wide, for one task, on each side of every matrix and table
		exact bool
	}{
		{code + "modeling_lora.XLMRobertaLoRA", 4 * (250002 + 1024 + 1 + 1024 + 24*(4*1024+2*1024+2*(1024+4096)) + 2*1024), true},
		{code + "modeling_xlm_roberta.XLMRobertaModel", 0, true},
		{"", 0, false},
	} {
		text := `{"model_type":"xlm-roberta","architectures":["XLMRobertaModel"],"lora_adaptations":["separation"],"auto_map":{"AutoConfig":"` + code + `configuration_xlm_roberta.XLMRobertaFlashConfig","AutoModel":"` + c.model + `"}}`
		m, err := describe(t, lib, text)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := describe(t, lib, strings.Replace(text, `["separation"]`, "null", 1))
		if err != nil {
			t.Fatal(err)
		}
		with, _ := sums(m)
		without, _ := sums(plain)
		if with-without != c.added || m.Exact() != c.exact || !plain.Exact() {
			t.Errorf("%q: %d more, want %d; %v", c.model, with-without, c.added, m.Warnings)
		}
	}
}
