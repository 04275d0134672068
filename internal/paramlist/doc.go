// Package paramlist stores JSON objects as lists of their values, if the objects have the same
// members.
//
// The rows of a task often have the same members. The names of the members are stored once, as
// Names, and each row stores a JSON array of its values. In this array, the position of a missing
// value is empty. Other params are stored unchanged, except that a JSON array gets a leading blank,
// which distinguishes it from a list.
package paramlist
