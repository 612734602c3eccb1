// Package chart draws a report as SVG text.
//
// Three drawings, all of them areas to scale:
//
//	Bar      the parameters by role, as one bar
//	Strip    the whole model from input to output: each layer as wide as its share
//	Draw     each kind of layer once, every weight matrix a rectangle with its real
//	         sides, so that area is parameter count
//
// And charts, of values against values ([Lines], on logarithmic axes) and of bands
// over the phases of something ([Stack]); steps of a difference ([Fall]); and the way of a
// token through the layers, not to scale ([Flow]); what they show is the caller's, see
// charts*.go in site/view. Their lines and bands are told apart by a letter, by
// dashes and lightness.
//
// Lengths are whole hundredths of a pixel and all arithmetic is in integers:
// the build and the page write the same bytes. Colours, lines and type are the
// stylesheet's; an element says what it is by its class (r-attention: the role).
// No drawing is the only place where something is said: a table stands beside it.
package chart

import (
	"math/bits"

	"llmsize/core/model"
)

// px is a length in hundredths of a pixel.
type px = int64

// mulDiv is a·b/c, rounded to nearest, without leaving 64 bits between. The
// result saturates far outside of any drawing.
func mulDiv(a, b, c int64) int64 {
	if a <= 0 || b <= 0 || c <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c)/2, 0)
	hi += carry
	if hi >= uint64(c) {
		return 1 << 62
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, 1<<62))
}

// roleWords are the roles as readers see them, and two letters that stand for
// the name where a swatch has no room: colour alone never says which it is.
var roleWords = [model.NumRoles][2]string{
	model.Embedding: {"embedding", "Em"},
	model.Position:  {"positions", "Po"},
	model.Attention: {"attention", "At"},
	model.FFN:       {"feed-forward", "FF"},
	model.Expert:    {"experts", "Ex"},
	model.Router:    {"router", "Ro"},
	model.State:     {"state", "St"},
	model.Norm:      {"norms", "No"},
	model.Head:      {"head", "He"},
	model.Vision:    {"vision", "Vi"},
	model.Audio:     {"audio", "Au"},
	model.Projector: {"projector", "Pr"},
	model.Other:     {"other", "Ot"},
}

// RoleName is a role in words: "feed-forward".
func RoleName(r model.Role) string { return roleWords[r][0] }

// RoleMark is two letters for a role: "FF".
func RoleMark(r model.Role) string { return roleWords[r][1] }

// RoleClass is the class that gives an element its role's colour: "r-ffn".
func RoleClass(r model.Role) string { return "r-" + r.String() }
