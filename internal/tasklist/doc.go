// Package tasklist lists the imports of a tenant by state, newest first, for the page of imports. An
// import is a task whose rows have columns. The rows come from a file or from the API.
//
// The cost of a page, and of the counts in its tabs, does not depend on the number of imports. Queries
// read only the first entries of indexes. A count stops at MostCounted. If the imports of a status
// belong to two tabs, it stops after twice as many. A search by text or type stops after about 10,000
// imports, so a page may be short although more pages follow.
package tasklist
