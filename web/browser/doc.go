// Package browser tests the pages with real browsers.
//
// It has only tests. They use the real program with Debian's Chromium, as a user would, and read a
// stream with Firefox. Without a browser, they fail with the names of the missing packages.
package browser
