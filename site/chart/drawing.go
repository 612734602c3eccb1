package chart

import "llmsize/core/arch"

// Drawing will hold.
func Drawing(m *arch.Model, width int64) string { return "" }
