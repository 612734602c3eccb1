// Package text is what becomes of the book's words: a chapter's text as HTML with the engine's numbers, and what holds it to
// how the project writes. The manual of each is at the head of its file:
//
//	markdown.go  the language of chapters, and their HTML
//	numbers.go   {= … =}, the engine's numbers
//	bare.go      numbers that nobody vouches for
//	rules.go     a rule in symbols, in words and worked out
//	phrases.go   phrases that make a reader stop
package text
