// Package housetest checks the architecture: the imports of packages, the users of libraries, the
// length of files, and the required documentation. docs/how/overview.md gives the reasons.
//
// The package reads files, and lists the packages of the programs. It compiles nothing and contains only
// tests. Nested modules, such as bench, are left out.
package housetest
