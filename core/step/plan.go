package step

import (
	"llmsize/core/model"
)

// part is the module at work.
type part uint8

const (
	noPart part = iota
	embedding
	normPart
	attentionPart
	feedPart
	scanPart
	expertsPart
	headPart
	lossPart
)

var partNames = [...]string{"", "embedding", "norm", "attention", "feed-forward", "state-space mixer", "experts", "LM head", "loss"}

// norm is a norm as a program has it.
type norm struct {
	p, bias *weight // p is nil where the norm has no parameter
	n       int64   // values of a row
	each    int64   // bytes that a plain module keeps of a value: 2 PyTorch's own kernel, 6 or 8 and more one that is written out
}

// attn is softmax attention as a program has it.
type attn struct {
	q, k, v, qkv, o      *matrix // qkv where one matrix makes all three
	qa, kva, qb, kvb     *matrix // latent attention: down and up
	qaNorm, kvNorm       *norm
	qNorm, kNorm         *norm
	subNorm              *norm // of what attention gives
	bare                 bool  // queries and keys are normed without a parameter once they are turned
	h, kv, d, dv, latent int64
	rope                 int64 // width of a head that is turned; 0: positions are learned
	window               int64
	gate                 bool    // the queries' matrix makes a gate beside them
	door                 *matrix // makes a gate where the queries' does not
	sinks                bool
	softcap              bool
	own                  bool // values aren't a view of the matrix that is made with queries and keys
	joined               bool // a head's queries are joined of two parts, and so stand head by head
	part                 *model.Part
	table                *weight // of positions that are added to the scores, which later layers share
	cross                bool    // keys and values are of the encoder's tokens
}

// matrix is a linear module: its weight, its bias, and what LoRA puts beside it.
type matrix struct {
	p, bias *weight
	a, b    *weight // adapters
}

// columns and rows divide a module among the ranks of tensor parallelism.
func (x *matrix) columns(tp int64) {
	if x != nil {
		x.p.n, x.p.out = x.p.n/tp, x.p.out/tp
		if x.bias != nil {
			x.bias.n, x.bias.out = x.bias.n/tp, x.bias.out/tp
		}
	}
}

func (x *matrix) rows(tp int64) { x.p.n, x.p.in = x.p.n/tp, x.p.in/tp }

// mlp is a feed-forward, or an expert's.
type mlp struct {
	up, gate, down *matrix
	subNorm        *norm // of what goes down
	fused          bool  // gate and up are one matrix
	width          int64
	act            int64
	gated          bool
}

// experts is a mixture.
type experts struct {
	router   *matrix
	scale    *weight // what its input is multiplied by, once that is normed
	own      int64   // bytes of a value of the router's input where it is copied for its product
	up, down *matrix
	bias     bool
	e, k     int64
	width    int64
	act      int64
	shared   *mlp
	sgate    *matrix
}

// branch is what is added to the stream once: a mixer or a feed-forward, with the norms around it.
type branch struct {
	pre, post *norm
	attn      *attn
	mlp       *mlp
	experts   *experts
	scan      *scan
	also      *branch // experts beside a feed-forward, of the stream as it is: both are normed, summed and normed again
	own       *norm   // that of the feed-forward
}

// mixture is the experts of a branch, or those beside its feed-forward.
func (b *branch) mixture() *experts {
	if b.also != nil {
		return b.also.experts
	}
	return b.experts
}

// kind is a layer as a program has it.
type kind struct {
	branches []branch
	summed   bool  // a norm after a branch is one of the sum
	parallel bool  // all branches read the same stream
	scaled   bool  // what it gives is multiplied by a number, in place
	params   int64 // elements
}

// opening is what a decoder's embeddings go through before its layers, where an encoder has the like.
type opening struct {
	position *weight
	norms    []norm
}

// plan is a model as a program.
type plan struct {
	m         *model.Model
	o         *Options
	embed     *weight
	types     *weight // embeddings of token types
	position  *weight
	first     []norm // norms before the layers
	kinds     []kind
	all       []uint16 // the kind of every layer
	as        []uint16 // as which of those that are laid out
	pattern   []uint16 // of every layer that is laid out
	opens     int      // the first layer that reads the tables of positions
	final     *norm
	bridge    int // the first layer of the decoder, where an encoder stands before it; 0: none does
	encodes   bool
	encoded   *norm   // the encoder's final norm
	opening   opening // what is between an encoder and the decoder's layers
	headSum   bool    // logits are added to numbers that are not trained
	dense     *matrix // what a masked language model has before its head
	headNorm  *norm
	head      *weight
	headBias  *weight
	tied      bool // embedding and head are one parameter
	headTied  bool // the config ties them, but tensor parallelism holds two
	h         int64
	eager     bool
	wide      bool  // the stream is in fp32, whatever the layers' format is
	drop      int64 // bytes of a residual's dropout mask: 0 or 1
	half      bool  // of each layer only one branch is dropped out
	own       bool  // softmax of stored scores is in their own format
	chance    bool  // and what it gives is dropped out
	dropFirst bool
	headCap   bool
	act       int64
	largest   int64 // elements of the largest parameter
	arena     []weight
}
