// Package oracle holds the core against the library that most configurations are written for. The programs in Python beside
// it ask that library; [Fixtures] turns what they recorded into text files for tests (fixture.go says how these are written), and
// [Family] shows what a family's file gives beside what it should.
package oracle
