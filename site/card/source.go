//go:build !tinygo

package card

import "embed"

// Source is this package's own code. A host that keeps pictures keeps them by its hash: a picture that other
// code has painted is none of ours.
//
//go:embed *.go
var Source embed.FS
