// Package bench looks at what was built as it is used: how long a page takes in a browser (pages.go), which questions take
// longest (worst.go), what nobody has thought of to ask (questions.go), what the fuzz targets find (fuzz.go), and what the pages look
// like (screenshots.go).
package bench
