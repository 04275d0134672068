// Package paramlist stores the params of rows as lists of their values. Most params are
// JSON objects; in one task, they often have the same members. The names of the members are stored once, as
// Names. Each row stores its values in brackets, separated by commas. A missing value leaves its position empty,
// so a list is not always valid JSON. Params stay unchanged if they have other members or another order, or if
// the list is not shorter. Params that are a JSON array get a leading blank, which distinguishes them from a list.
package paramlist
