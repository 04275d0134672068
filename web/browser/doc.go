// Package browser tests the pages with real browsers.
//
// The package has only tests. The tests use the real program in Debian's Chromium, and read a stream in Firefox.
// Without a browser, the tests fail and report the names of the missing packages.
package browser
