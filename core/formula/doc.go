// Package formula is the one expression tree: of the sizes in family files (package family) and of figures.
//
// [Lexer] reads expressions. Names of a family's expressions are words, those of a figure's formula paths of the
// report ([Parse]). [Node.Eval] works a formula out over numbers: whole numbers stay exact as long as they fit into
// int64, and what does not is a float that says so. [Node.Format] prints a tree: as source, for people, as LaTeX,
// each with names as they are, or with whatever stands for them (letters, values, labels).
//
// Operators are Python's, and ^: + - * / // % ^ == != < <= > >= and or not in, `A if C else B`.
package formula
