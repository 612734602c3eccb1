// Package rules holds the rules of thumb that people size models by, and takes
// the difference between each and the exact count apart.
//
// A [Rule] is a row of a table: its formula, the condition under which it is
// right, who counts that way, and what it computes. [Rule.Apply] works it out for
// a report and returns an [Answer]: what the rule says, what is exact, and terms
// that add up to the difference, each with a named [Cause]:
//
//	exact − rule = Σ terms, to the last digit
//
// Nothing here is a typed result: a rule is the engine's own count with something
// left out or replaced, so it answers for every model that has what it needs and
// says so ([Rule.Apply] returns false) where a model has not.
//
// # How a rule counts
//
// Three kinds of rule, one file each:
//
//   - parameters.go: a rule is a shape, which says for each group of tensors
//     whether they are counted as they are or by a formula.
//   - cache.go: a rule is a set of edits to the properties of the model's layers
//     (windows dropped, latents read as heads, …). The cache of the edited model
//     is what the rule says; undoing the edits one by one gives the terms.
//   - flops.go, weights.go, training.go: a rule is a factor times a count.
//
// The order in which edits are undone is fixed, and it matters: where two causes
// act on the same bytes, the first one that is undone carries what they share.
//
// # Who uses them
//
// Most rules are right where they come from. [Rule.Users] names papers and
// programs that count so, as read on the date of this package's table; programs
// change.
//
// The package is for hosts that explain. The page's first program does not hold
// it: core/report does not import it.
package rules
