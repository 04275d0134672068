// Package paramlist stores JSON objects with the same members as lists of their values.
//
// The rows of a task often have the same members. The names of the members are stored once, as Names,
// and each row stores a JSON array of its values. A missing value is empty between its commas. Other
// params are stored unchanged, but a JSON array gets a leading blank, which distinguishes it from a
// list.
package paramlist
