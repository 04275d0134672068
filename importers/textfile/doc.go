// Package textfile reads the rows of delimited text, such as CSV, in any character set of
// the WHATWG standard.
//
// The promise: the end of the text is reported only when every byte was read and every quote
// is closed. Lines end with CR LF, LF or CR, and a row has the number of its first line. A
// character set is declared, chosen by a person, or guessed where a guess is safe; otherwise
// the person is asked, with the likeliest ones to choose from.
//
// The package depends on package tabular and on no other package of Rollcall.
package textfile
