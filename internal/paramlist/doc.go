// Package paramlist stores JSON objects as lists of their values, if the objects have the same members.
//
// The rows of a task often have the same members. The names of the members are stored once, as
// Names, and each row stores a JSON array of its values. For a missing value, nothing is between
// the commas. Other params are stored unchanged, except that a JSON array gets a leading blank,
// which distinguishes it from a list.
package paramlist
