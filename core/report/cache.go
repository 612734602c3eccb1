package report

import (
	"llmsize/core/fault"
	"llmsize/core/memory"
	"llmsize/core/model"
	"llmsize/core/query"
	"llmsize/core/units"
)

// Cache is what a decoder keeps of the tokens it has seen.
type Cache struct {
	Bytes    units.Bytes
	PerToken units.Bytes // what one more token adds to one sequence, while every window has room; state left out
	Policy   string
	Terms    []memory.CacheTerm
}

// layout lays a cache out.
type layout func(*model.Model, memory.CacheQuestion) ([]memory.CacheTerm, int64, *fault.Error)

// heldOnly is all the layout that Sizes knows.
func heldOnly(m *model.Model, q memory.CacheQuestion) ([]memory.CacheTerm, int64, *fault.Error) {
	if q.Policy == memory.Paged || q.Policy == memory.LlamaCpp {
		return nil, 0, &fault.Error{Field: "kv-policy", Problem: "needs the page's larger program", Need: Lenses}
	}
	return memory.CacheHeld(m, q)
}

// cache works out the bytes of the KV cache and of state under the query's policy.
func (r *Report) cache(lay layout) *fault.Error {
	q, err := r.CacheQuestion()
	if err != nil {
		return err
	}
	terms, total, err := lay(r.Model, q)
	if err != nil {
		return err
	}
	r.Cache.Policy, r.Cache.Terms, r.Cache.Bytes = r.Query.Get(query.KVPolicy), terms, units.Bytes(total)
	q.Policy, q.Context, q.Batch = memory.Minimum, 1, 1
	terms, _, err = memory.CacheHeld(r.Model, q)
	r.Cache.PerToken = units.Bytes(PerToken(terms))
	return err
}

// PerToken is what the terms of a cache of one token come to without state and
// without cross attention: what one more token adds to a sequence.
func PerToken(terms []memory.CacheTerm) int64 {
	n := int64(0)
	for i := range terms {
		if t := &terms[i]; t.Tokens > 0 && t.What != "cross keys and values" {
			n += t.Bytes
		}
	}
	return n
}

// CacheQuestion is what the report's query asks about the cache.
func (r *Report) CacheQuestion() (memory.CacheQuestion, *fault.Error) {
	q := &r.Query
	f, ok := memory.FormatNamed(q.Get(query.KV))
	if !ok {
		return memory.CacheQuestion{}, &fault.Error{Field: "kv", Given: q.Get(query.KV), Problem: "is not a format of the cache"}
	}
	p, ok := memory.PolicyNamed(q.Get(query.KVPolicy))
	if !ok {
		return memory.CacheQuestion{}, &fault.Error{Field: "kv-policy", Given: q.Get(query.KVPolicy), Problem: "is not a policy"}
	}
	return memory.CacheQuestion{Policy: p, Context: q.Int(query.Context), Encoder: q.Int(query.Prompt), Batch: q.Int(query.Batch), Chunk: q.Int(query.Chunk), Format: f, State: 16}, nil
}
