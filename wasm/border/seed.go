//go:build tinygo

package border

// arc4random takes the place of libc's, from which TinyGo's runtime takes a seed
// when it starts. Libc's brings a cipher, and for its one assertion all of printf:
// 5 kB that every reader would load. Nothing here needs chance.
//
//export arc4random
func arc4random() uint32 { return 1 }
