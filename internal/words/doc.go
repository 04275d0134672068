// Package words translates the texts of Rollcall.
//
// A sentence has a text key, which is the same in every language, and placeholders in braces. A test
// checks that every language has every text key with the same placeholders. If a placeholder has no
// value, the sentence is not translated, and the caller keeps its own text.
//
// A placeholder is a name, such as {column}, or a choice by number, such as
// {n|one=row|few=…|other=rows}. The names of the forms are the plural categories of CLDR. The package
// does not depend on imports or rows. Its callers choose the language with a Picker.
package words
