package rules

// Cause is why a rule and the exact count differ.
type Cause uint8

// The causes. A term's sign says which way: plus is what the rule leaves out,
// minus is what it counts and the model has not.
const (
	Embedding Cause = iota
	Positions
	LayerCount
	LatentAttention
	HeadWidth
	GroupedQueries
	OtherAttention
	AttentionBiases
	FFNCount
	FFNWidth
	Gate
	OtherFFN
	FFNBiases
	Experts
	SharedExperts
	Routers
	DenseLayers
	StateLayers
	Norms
	Vision
	Audio
	Projector
	Other
	Head
	TiedHead
	PredictionLayers
	HeadAgain
	Buffers
	NameRounding
	Format
	Scales
	StoredScales
	WiderTensors
	Packing
	KeysAndValues
	NoAttention
	Windows
	SharedCache
	CrossAttention
	IndexKeys
	State
	Layout
	FlatShare
	CacheBytes
	Lookup
	Elementwise
	InactiveExperts
	OtherTokens
	Scores
	Scans
	Recompute
	TrainedWeights
	Gradients
	OptimizerStates
	Activations
	Unexplained
	numCauses
)

var causes = [numCauses]struct{ name, text string }{
	Embedding:        {"token embedding", "one vector for each entry of the vocabulary"},
	Positions:        {"learned positions", "one vector for each position, in models that learn them"},
	LayerCount:       {"layers with attention", "not every layer has attention of its own, or some have more than one"},
	LatentAttention:  {"latent attention", "low-rank latents in place of full matrices of keys and values"},
	HeadWidth:        {"head width", "the width of a head is a choice of its own, not h/a"},
	GroupedQueries:   {"grouped queries", "fewer heads of keys and values than of queries"},
	OtherAttention:   {"other attention matrices", "gates, relative positions and whatever else attention has"},
	AttentionBiases:  {"attention biases", "vectors beside the matrices of attention"},
	FFNCount:         {"layers with a feed-forward part", "not every layer has one of its own, or some have more than one"},
	FFNWidth:         {"feed-forward width", "the width f is a choice of its own"},
	Gate:             {"gate matrix", "a gated feed-forward part has three matrices, one without a gate two"},
	OtherFFN:         {"other feed-forward matrices", "low-rank parts, adapters and the like"},
	FFNBiases:        {"feed-forward biases", "vectors beside the matrices of the feed-forward part"},
	Experts:          {"routed experts", "many feed-forward parts; a router picks some"},
	SharedExperts:    {"shared experts", "experts that every token goes through"},
	Routers:          {"routers", "the matrix that scores the experts"},
	DenseLayers:      {"dense layers", "layers with one feed-forward part where others have experts"},
	StateLayers:      {"state layers", "state-space, recurrent and linear-attention mixers"},
	Norms:            {"norms", "the scales, and in LayerNorm the shifts, of every norm"},
	Vision:           {"image tower", "the part that reads images"},
	Audio:            {"audio tower", "the part that reads sound"},
	Projector:        {"projector", "from a tower's width to the language model's"},
	Other:            {"other tensors", "what belongs to none of the groups"},
	Head:             {"output head", "the matrix back to the vocabulary, unless it is the embedding"},
	TiedHead:         {"tied head", "the embedding used again as the head: multiplied by, not stored twice"},
	PredictionLayers: {"prediction layers", "layers that predict further tokens; files hold them, the class does not build them"},
	HeadAgain:        {"tied head, stored again", "the head is the embedding, and the files hold it as a tensor of its own"},
	Buffers:          {"buffers", "stored beside the parameters, not trained"},
	NameRounding:     {"the number in the name", "names are rounded, and some count otherwise"},
	Format:           {"format", "what the format really takes, scales and unquantized tensors included"},
	Scales:           {"scales", "scales and zero points of the blocks, beside four bits for each weight"},
	StoredScales:     {"stored scales", "of quantized tensors: files hold them beside the weights"},
	WiderTensors:     {"wider tensors", "embedding, head, norms and chosen matrices are kept in more bits"},
	Packing:          {"packed words", "several small weights in one stored number"},
	KeysAndValues:    {"keys and values", "both are kept, once each"},
	NoAttention:      {"layers that keep no keys", "state-space, recurrent and convolution layers"},
	Windows:          {"windows", "layers that keep only the tokens of their window or chunk"},
	SharedCache:      {"shared caches", "layers that read another layer's keys and values"},
	CrossAttention:   {"cross attention", "keys and values of the encoder's tokens"},
	IndexKeys:        {"index keys", "small keys beside the cache, to pick tokens by"},
	State:            {"recurrent state", "a state of fixed size for each sequence"},
	Layout:           {"layout", "what a program adds: blocks, padding, windows with a chunk"},
	FlatShare:        {"the flat share", "a fixed share for everything else"},
	CacheBytes:       {"cache", "what the context takes"},
	Lookup:           {"looked-up tables", "embeddings are read by row, not multiplied"},
	Elementwise:      {"norms and biases", "scales and sums, left out of FLOPs"},
	InactiveExperts:  {"experts that rest", "experts that this token is not routed to"},
	OtherTokens:      {"other tokens", "weights that work on more, on fewer or on other tokens than the sequence's"},
	Scores:           {"attention scores", "products of queries, keys and values: they grow with the context, not with the weights"},
	Scans:            {"scans and convolutions", "recurrences over the sequence"},
	Recompute:        {"recomputation", "the forward pass run again to save memory"},
	TrainedWeights:   {"weights", "the weights that are trained, in the recipe's formats and on one device"},
	Gradients:        {"gradients", "one for each trained parameter, in the recipe's format"},
	OptimizerStates:  {"optimizer", "fp32 weights and the optimizer's own values"},
	Activations:      {"activations", "what the backward pass needs of the forward pass; no rule by the parameter knows it"},
	Unexplained:      {"not taken apart", "a difference that no cause is named for"},
}

// String is the cause's name: "grouped queries".
func (c Cause) String() string { return causes[c].name }

// Text says what the cause is, without a full stop.
func (c Cause) Text() string { return causes[c].text }
