// Package housetest checks the architecture: the imports of packages, which packages may import which
// libraries, the length of files, and the required documentation. docs/how/overview.md gives the reasons.
//
// The package contains only tests. They read files, list the packages of the programs, and compile examples in
// another module. Nested modules other than web/browser, such as bench, are left out.
package housetest
