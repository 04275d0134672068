// Package browser looks at the pages with a real browser.
//
// It holds nothing but tests: they drive Debian's Chromium through the real
// program, as a person would, and have Firefox, too, listen to a stream. Only
// these tests need a browser; where there is none they fail and say what to
// install.
package browser
