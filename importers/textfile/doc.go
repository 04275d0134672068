// Package textfile reads the rows of delimited text, such as CSV, in any character set of
// the WHATWG standard.
//
// The promise: the end of the text is reported only when every byte was read and every quote is
// closed. Lines end with CR LF, LF or CR, and a row has the number of its first line. A character set
// is declared, chosen by a person, or guessed if the guess is safe. Otherwise the problem offers the
// likeliest character sets.
//
// The package depends on package tabular and on no other package of Rollcall.
package textfile
