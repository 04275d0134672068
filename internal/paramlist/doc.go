// Package paramlist stores the params of rows as lists of their values. Params are JSON objects; in one
// task, they often have the same members. The names of the members are stored once, as Names, and each
// row stores a JSON array of its values. In this array, the position of a missing value is empty. Params
// with other members are stored unchanged. If params are a JSON array, it gets a leading blank, which
// distinguishes it from a list.
package paramlist
