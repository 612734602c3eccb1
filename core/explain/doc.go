// Package explain says of any number of a report where it comes from, what moves it, and what would make it another.
//
// [Tree] takes a number apart down to the keys of the config and of the question. Its inner nodes are the figures of a
// formula (package figure). Which keys are under which of them is found by asking again: a key is there if another
// value of it, all else unchanged, gives the number another value. So a key is in a tree only if it can move the
// figure, and says by which value ([Key.Try]); the keys that a formula does not name, such as a switch, are there too.
// [Moves] ranks the keys by what one step of each does. [Seek] looks for the largest value of a key that keeps a number
// at or below a goal.
//
// All three ask [report.Report.Again]; they know nothing of models, and count nothing themselves.
package explain
