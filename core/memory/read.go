package memory

import (
	"llmsize/core/fault"
	"llmsize/core/model"
)

// Reads returns the terms of [Cache] under [Minimum] with the tokens and bytes that a pass over one new token reads of each, and
// their sum: all that is kept, but where an index picks the tokens or the compressed entries that attention runs over. There
// those and all index keys are read, and no more (DeepSeek-V3.2-Exp, "Lightning Indexer" and "Fine-grained Token Selection"; config.json,
// index_topk). Each of several new tokens picks its own, so for them it is the least.
func Reads(m *model.Model, q CacheQuestion) ([]CacheTerm, int64, *fault.Error) {
	q.Policy = Minimum
	terms, total, err := Cache(m, q)
	if err != nil {
		return nil, 0, err
	}
	var list []spec
	for b, k := range m.Kinds() {
		for i := range k.Parts {
			p := &k.Parts[i]
			most := p.Get(model.Picks)
			if most <= 0 {
				continue
			}
			list = partSpecs(list[:0], p, &q)
			for j := range list {
				s := &list[j]
				if s.What == "index keys" || s.state || s.cross || s.rate == 0 && p.Get(model.Compress) > 0 {
					continue
				}
				held := s.Window
				if held == 0 {
					held = s.entries(q.Context + s.prefix)
				}
				if held <= most {
					continue
				}
				for at := range terms {
					if t := &terms[at]; t.Block == b.Title && t.What == s.What && t.Elements == s.Elements && t.Window == s.Window {
						less := (held - most) * t.Each * k.Count * q.Batch // a part of what was summed without overflow
						t.Tokens, t.Bytes, total = most, t.Bytes-less, total-less
						break
					}
				}
			}
		}
	}
	return terms, total, nil
}
