package text

import (
	"fmt"
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	f := NewBare([]string{"Phi-3 mini 4k", "GeForce RTX 4090", "Some Model 12 34B"}, []string{"8192"})
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"typed", "It has 32 layers and 6.74 billion weights.", []string{"32", "6.74"}},
		{"thousands", "The total is 6,738,415,616, exactly.", []string{"6,738,415,616"}},
		{"of the engine", "It has {= parameters.total set.num_hidden_layers=40 =}.", nil},
		{"vouched for", "about {~said 205 billion~}, {~given 2,048~} and {~known 1,024~}", nil},
		{"cited in its sentence", "It took 21 days ([paper](https://example.org/1)). Then 30.", []string{"30"}},
		{"cited in another", "It took 21 days. See [paper](https://example.org/).", []string{"21"}},
		{"asked in a link", "At [16,384 tokens](/?v=1&context=16384) or 32,768.", []string{"32,768"}},
		{"asked in a number", "At 4,096 tokens it is {= memory.kv_cache.bytes context=4096 =}.", nil},
		{"asked below", "For 4,096 tokens:\n\n\\[ {= memory.kv_cache.bytes context=4096 =} \\]\n\nNot 4,096.", []string{"4,096"}},
		{"asked by default", "At 8,192 tokens it is {= memory.kv_cache.bytes =}.\n\nAt 8,192 nothing.", []string{"8,192"}},
		{"a row of a table", "| a | {= x context=64 =} |\n|---|--:|\n| 64 | b |\n", []string{"64"}},
		{"small", "two of 4 and 9, at 100% and 16 bits, in 8-bit blocks, 2 · 10²³", nil},
		{"names", "GPT-2, Qwen2.5-7B, Llama 3.1 8B, Some Model 12 34B, an RTX 4090, 70B, 4k, bf16, H100", nil},
		{"in another place of a name", "Phi-3 mini 4k and 12 others", []string{"12"}},
		{"dates and lists", "1. On 21 November 2026, in 2023.\n2. 2026-11-21\n\n**3.** and chapter 10, table 12", nil},
		{"code, addresses, quotations, ids", "`x = 77` <b id=\"n88\"> [a](/b/99/) \"66 billion\" “55” {#id-44}\n\n```text\n33\n```\n", nil},
		{"formulas", `\(12 h^2\), \[ 4{,}096 \times 2.5 \], \( {~given 1{,}024~} \)`, []string{"4,096", "2.5"}},
		{"front matter", "+++\ntitle = \"The 46\"\norder = 12\nquery = \"v=1&context=555\"\n[[sources]]\ntitle = \"A 47\"\n+++\nAt 555 tokens {= x =}.", []string{"46"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, n := range f.Find(c.text) {
				got = append(got, n.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	found := NewBare(nil, nil).Find("+++\ntitle = \"A\"\n+++\n\nText with\n77 in it.\n")
	if got := fmt.Sprint(found); got != "[line 6: 77 in “77 in it.”]" {
		t.Error(got)
	}
}

// A name may begin with another one: the longer is the one that is meant, in whichever order they come.
func TestNamesWithinNames(t *testing.T) {
	for _, names := range [][]string{{"Some 12", "Some 12 340", "Other 56"}, {"Some 12 340", "Other 56", "Some 12"}} {
		found := NewBare(names, nil).Find("Some 12 340 and Other 56 are names, Some 12 is one too, Other 5678 isn't.\n")
		if len(found) != 1 || found[0].Text != "78" {
			t.Errorf("%q: found %v", names, found)
		}
	}
}

func FuzzBare(f *testing.F) {
	f.Add("+++\ntitle = \"46\"\n+++\n{= x =} \\(1{,}024\\) 12,")
	finder := NewBare([]string{"A 1"}, nil)
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range finder.Find(text) {
			if n.Line < 1 || n.Text == "" {
				t.Errorf("%+v", n)
			}
		}
	})
}
