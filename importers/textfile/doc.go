// Package textfile reads the rows of delimited text, such as CSV, in any character set of the WHATWG
// standard.
//
// The reader returns io.EOF only if every byte was read and every quote is closed. Lines end with CR LF, LF
// or CR, and a row has the number of its first line. The character set is declared in the file, chosen by a
// user, or guessed. If the guess is not certain, the error offers the likeliest character sets.
//
// Of the packages of Rollcall, it imports only packages tabular and words.
package textfile
