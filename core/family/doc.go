// Package family is the language in which families of models are written, and what reads it: from a config.json to
// typed layers and their tensors.
//
// [Describe] finds the family of the config's model_type and runs it. The result is a [model.Model].
//
// # Families are data
//
// A family is one text file in core/family/families, read by the interpreter in
// this package. So the page's program does not grow with the number of
// families, a page loads only the family it needs, and the expressions that give
// a shape are there to explain it. docs/decisions.md has what was tried;
// docs/families.md has a worked example.
//
// # The file
//
// Lines; "#" begins a comment; blocks are indented with spaces. At the top:
//
//	type llama                     model types that this family answers for
//	title Llama                    its name for people
//	source arXiv 2302.13971, …     where the facts are from; may repeat
//	like decoder                   inherit everything of another file or type
//	with moe                       inherit the blocks of another file too; nearer wins
//	classes Llama causal base      LlamaForCausalLM, LlamaModel; kinds: causal base masked
//	                               seq2seq sequence token question choice encoder
//	class GPT2LMHeadModel causal [alias NAME]…   a class with a name of its own, and names
//	                               that configs from outside transformers have for it
//	key NAME [alias OLD] [from PATH] [: TYPE [of KINDS]] [= DEFAULT] [null EXPR]
//	let NAME = EXPR                a derived value; hides an inherited key of that name
//	def NAME(A, B) = EXPR          a function: window(i), used by blocks and overridden by children
//	lora NAME …                    the modules that LoRA adapts in this type by default
//	lora experts GATE UP DOWN      this type's experts are adapted as two fused tensors
//	lora router NAME …             routers that are linear modules in the class
//	lora name OLD NEW …            OLD in a checkpoint's names is NEW in the class's; all four
//	                               are about adapters only (model.LoRA)
//	saves NAME NUMBER …            what the class keeps for a backward pass where it is not the
//	                               usual; the names are model.SavesNames. checked is true of
//	                               this file's types alone
//	inert NAME …                   in inert.arch: keys without effect in any family
//	takes LETTERS NAME …           what the configuration class lets keys of these names hold (takes.go); these lines are
//	                               made, and are in fields.txt: go run ./build family -fields. Those that tell what the
//	                               model itself lets them hold, an activation without arguments, are in the files
//	check BLOCK …                  rules that this file's types are held to, and none that inherits
//	                               from it; those that classes share are in rules.arch, or in
//	                               the file whose names they speak of
//	familiar TYPE …                in familiar.arch: what a config of an unknown type may be read as
//	code CLASS TYPE                a config of this file's types is of TYPE where its auto_map names CLASS, a
//	                               configuration class whose code lies beside the weights
//	inert NAME …                   keys that the class reads but that change no tensor
//	block NAME(A, B)               statements; the block named model is the start, the block named
//	                               beside is what published checkpoints hold beside the class, in
//	                               parts whose titles are reasons: prediction, buffer, tied
//
// key … : list[N] of [KINDS] takes no entry that is not among KINDS. Without it
// layer_types and mlp_layer_types take what transformers takes, in any family.
//
// A key's TYPE is size (1 or more), count (0 or more), int, bool, float, str,
// list, any; it follows from the default when left out. "?" after it means that
// null is a value of its own. list[N] must have N entries; its default is worked
// out entry by entry with i as the index, unless it is a list already. An absent
// key has its default, which is the class's default; a key without "=" must be
// given. null means `null EXPR` if that is there, else null for "?" types, else
// the default if that is an expression or a list with an entry for each layer, else it is an error. An alias is another
// name in the config; `from a.b` reads a nested place first.
//
// Expressions are Python's: + - * / // % == != < <= > >= and or not in, `A if C
// else B`, x[i], x.field (null.field is null), "text", [list], true false null,
// and the functions of funcs.go. each(F, LIST|N) lists what a def gives for each
// entry, those(F, LIST|N) the entries for which it holds. / gives a float, // a whole number. `class` is
// the kind of the class that is counted.
//
// # Statements
//
//	at PREFIX                      names under it begin with PREFIX. ; {x} is filled in, as in KIND of submodel and after stream
//	layers i N ["title"] [at P]    a stack; leading `vary` lines are worked out for each i,
//	  vary window = window(i)      the rest once for each distinct outcome, where i may
//	  …                            appear in names only
//	repeat e N [at P]              N copies, e in names only
//	for j in LIST|N [at P]         written out, j is a value
//	experts e E active K [at P]    E copies of which K work on a token; "_" for fused tensors
//	if C / elif C / else
//	let NAME = EXPR
//	use BLOCK(ARGS)
//	ROLE ["title"] name=EXPR …     a part: attention ffn expert router norm embedding position
//	                               state head vision audio projector other; properties are model.Property.
//	                               Inside a part it only changes the role of what is under it
//	linear NAME IN -> OUT          NAME.weight [OUT, IN], multiplied by each token
//	norm NAME SIZE                 NAME.weight [SIZE]; makes a part of its own where none is open
//	batchnorm NAME SIZE            NAME.weight and .bias [SIZE], and what it has seen of the data:
//	                               running_mean and running_var [SIZE], num_batches_tracked;
//	                               frozen EXPR: nothing of it is trained, and nothing counted on
//	embed NAME ROWS, WIDTH         NAME.weight [ROWS, WIDTH], looked up
//	conv NAME IN -> OUT kernel K   NAME.weight [OUT, IN // groups, K]; kernel K, K2 for two dimensions,
//	                               K, K2, K3 for three
//	param NAME [A, B]              a tensor of that very name, elementwise
//	matrix NAME [A, B, C]          a tensor of that very name, multiplied by (fused experts)
//	buffer NAME [A]                stored, not trained
//	submodel TYPE [at P] [from KEY] [class KIND] [role ROLE] [as NAME]
//	                               another family on a nested config, whose keys and lets are NAME.key
//	                               below; under it `set KEY = EXPR` forces the value of a key or let, `default KEY = EXPR` gives the default, if and
//	                               use as elsewhere. Without `from` both read one config
//	stream NAME [stride S [floor]] [plus N]  parts under it work on other tokens: encoder, image …, or
//	                               pooled: one token of each sequence. An image of H by W pixels has ⌈H/S⌉ by
//	                               ⌈W/S⌉ of them (⌊H/S⌋ by ⌊W/S⌋, where it says floor: patches, which don't reach over
//	                               an end) and N beside those; N alone, where there is no stride. What says of
//	                               itself by uses how often a whole picture or sound takes it is under plus 1.
//	                               Before an encoder S is how many places there are for one of its tokens, N how many
//	                               for a whole sound
//	value NAME = EXPR              a figure for formulas under its standard name: hidden_size …; the first
//	                               one of a name holds. What becomes of a picture of asked_height by asked_width
//	                               pixels (0: nobody asks) is said as image_height, image_width, image_views (as many
//	                               of that size), image_clip (frames that are seen together) and image_tokens, which a
//	                               text part reads for it; of a sound of asked_ms milliseconds as audio_ms, audio_frames
//	                               (0: it isn't counted) and audio_tokens; of a window of a series as series_length,
//	                               series_channels and series_views
//	require C : KEY "message"      else an error about KEY
//	warn C : KEY "message"         a warning about KEY
//	estimate C : KEY "message"     a warning that makes the count an estimate
//
// After a tensor: bias EXPR (NAME.bias beside it), when EXPR (only then),
// transposed (stored input first; a convolution's way back to a larger image),
// f32 (made in 32 bits whatever the config's dtype is), empty (stored even where it has no elements), groups EXPR, role ROLE, uses EXPR (how often
// a pass multiplies by it: 0 for weights no pass touches), on STREAM (it alone
// works on that stream's tokens), tied EXPR to NAME (not stored, because it is
// that tensor; in a submodel NAME counts from its start).
//
// Errors of a file name it and the line; errors of a config name the key, the
// value and what is allowed.
package family
