// Package tasklist lists the imports of a tenant by state, newest first, for the page of imports.
// An import is a task whose rows have columns. The rows come from a file or from the API.
//
// The cost of a page and of the counts of its tabs does not depend on the number of imports. Both
// read only the first entries of indexes. A count stops at MostCounted. A search by text or type, and
// the count of a tab that has only some imports of a status, stop after about 10,000 imports. So a page
// may be short although more pages follow.
package tasklist
