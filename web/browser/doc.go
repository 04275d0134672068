// Package browser tests the pages with real browsers.
//
// It has only tests. They drive Debian's Chromium through the real program, as a user would, and let
// Firefox read a stream. Without a browser they fail with the names of the missing packages.
package browser
