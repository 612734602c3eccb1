package train

import (
	"llmsize/core/model"
)

// kept is a kind of what a part keeps: a row of [keeps].
type kept uint8

const (
	streamNorm kept = iota
	headNorm
	matrixInput
	routerCopy
	gate
	ownGate
	packedQKV
	latentQKV
	plainQKV
	weighted
	rowSums
	pairScores
	between
	routing
	copies
	expertsBetween
	mixed
	headwise
	logitsCopy
	logProbabilities
	lossGradients
	dropped
	layerInput
	columnProduct
	wholeProduct
	flashProduct
)

// division is how tensor parallelism divides what is kept, and which tokens it is of.
type division uint8

const (
	undivided division = iota // every slice has it
	byTokens                  // every slice has it, unless sequence parallelism divides it
	bySlices                  // each slice has its own
	pairs                     // each slice has its own, of every token for every token of the sequence
	predicted                 // each slice has its own, of the tokens that have a next one
)

// row is what a part keeps for a reason: bytes of a token, as a sum of products of sizes.
type row struct {
	what    string
	divided division
	bytes   string
}

// keeps is the table of what each kind of part keeps, of a token. A digit is itself; the letters are
//
//	e    bytes of a value: 2 in 16 bits, 4 in fp32
//	a k  heads of queries, and of keys and values, copied for each query head or not
//	d v  the widths of a query or key and of a value
//	i o  what a matrix takes, and what it gives
//	c    copies of it: channels of a convolution, matrices of heads
//	w r  the width of a norm, and how often it works on a token
//	n s  bytes of each value that a norm keeps, and of its mean and deviation
//	q    bytes that a turned query or key takes beside its value
//	p    bytes of a pair's scores
//	z    intermediate widths that a feed-forward keeps
//	E K  experts, and how many of them a token has
//	m    bytes of a dropout mask
//	x    bytes of a copy that the class makes
var keeps = [...]row{
	streamNorm: {norms, byTokens, "n*w*r + s*r"},
	headNorm:   {norms, bySlices, "n*w*r + s*r"},

	matrixInput: {"", byTokens, "e*i"}, // for the reason that the part gives

	gate:       {mixer, bySlices, "3*e*a*d"},                                         // the gate itself, its sigmoid, what it multiplies
	ownGate:    {mixer, bySlices, "2*e*a*v"},                                         // its sigmoid, what it multiplies
	packedQKV:  {mixer, bySlices, "e*a*d + e*k*d + e*a*d + 2*e*k*d + q*a*d + q*k*d"}, // the values stay a view of all three
	latentQKV:  {mixer, bySlices, "e*a*d + e*k*d + e*o + q*a*d + q*k*d"},             // the values are a view of what the latent is multiplied to, with the keys before they get their rotary part
	plainQKV:   {mixer, bySlices, "e*a*d + e*k*d + e*k*v + q*a*d + q*k*d"},
	weighted:   {mixer, bySlices, "e*a*v"}, // values by their scores: the output matrix's input
	rowSums:    {sums, bySlices, "4*a"},
	pairScores: {scores, pairs, "p*a"},

	between: {ffn, bySlices, "e*z*i"},

	routerCopy:     {experts, byTokens, "x*i"},
	routing:        {experts, byTokens, "4*E + 8*K"}, // probabilities in fp32, weights and indices of the chosen
	copies:         {experts, byTokens, "2*e*K*i"},   // a copy of the token for each expert, and what comes back
	expertsBetween: {experts, bySlices, "e*z*K*w"},

	mixed:    {mixer, bySlices, "e*i"},
	headwise: {mixer, bySlices, "e*c*i + e*c*o"},

	logitsCopy:       {loss, bySlices, "x*o"},
	logProbabilities: {loss, predicted, "4*o"},
	lossGradients:    {gradients, bySlices, "8*o"}, // in fp32: of the log-probabilities, and that of the logits, which is made from both

	dropped: {masks, byTokens, "m*i"},

	layerInput: {inputs, byTokens, "e*i"},

	columnProduct: {outputs, bySlices, "e*o"},
	wholeProduct:  {outputs, undivided, "e*o"},
	flashProduct:  {outputs, bySlices, "e*v*a + 4*a"},
}

// keep adds up what a row of the table says, with the sizes that were set for it.
func (t *tally) keep(k kept) { t.keepFor(keeps[k].what, k) }

// keepFor does so for a reason of the caller's.
func (t *tally) keepFor(what string, k kept) {
	r := &keeps[k]
	tokens := t.tokens
	switch r.divided {
	case pairs:
		tokens = float64(tokens * float64(t.q.Saving.Seq))
	case predicted:
		if t.q.Layout.CP <= 1 { // the last of several pieces is one shorter, the others are not
			tokens = max(tokens-float64(t.q.Saving.Micro), float64(t.q.Saving.Micro))
		}
	}
	bytes := float64(float64(t.evaluate(r.bytes)) * tokens)
	if r.divided == pairs {
		s := letter("'s", t.q.Saving.Seq)
		t.noteFactor(&s)
	}
	divided := r.divided >= bySlices || r.divided == byTokens && t.q.Saving.Sequence
	if divided {
		bytes = float64(bytes / float64(t.q.Layout.TP))
	}
	if bytes == 0 {
		t.added = nil
		return
	}
	to := t.total(what)
	to.bytes = float64(to.bytes + bytes)
	if t.noting {
		to.terms = t.note(to.terms, divided, tokens < t.tokens)
	}
}

// evaluate works out a sum of products with the sizes of the part.
func (t *tally) evaluate(sum string) (bytes int64) {
	product := int64(0)
	for i := 0; i < len(sum); i++ {
		c := sum[i]
		if c == ' ' || c == '*' || c == '+' {
			continue
		}
		size := number(int64(c - '0'))
		if c >= 'A' {
			size = t.sizes[c-'A']
		}
		if i == 0 || sum[i-1] == ' ' {
			bytes += product
			product = 1
			t.noteProduct()
		}
		product *= size.Size
		t.noteFactor(&size)
	}
	return bytes + product
}

// let sets the size that a letter of the table stands for; count a size that has no name.
func (t *tally) let(letter byte, size *model.Dim) *tally {
	t.sizes[letter-'A'] = *size
	return t
}

func (t *tally) count(letter byte, n int64) *tally {
	t.sizes[letter-'A'] = number(n)
	return t
}

// size is what a letter of the table stands for.
func (t *tally) size(letter byte) *model.Dim { return &t.sizes[letter-'A'] }

// heads sets the sizes of the part's attention: none, where it has no heads.
func (t *tally) heads() {
	var h, kv, d, v model.Dim
	for i := len(t.p.Props) - 1; i >= 0; i-- { // of several the first holds
		switch n := t.p.Props[i].Value; t.p.Props[i].Name {
		case model.Heads:
			h = letter("'a", n)
		case model.KVHeads:
			kv = letter("'k", n)
		case model.HeadDim:
			d = letter("'d", n)
		case model.VDim:
			v = letter("v_head_dim", n)
		}
	}
	if v.Expr == "" {
		v = d
	}
	t.let('a', &h).let('k', &kv).let('d', &d).let('v', &v)
}
