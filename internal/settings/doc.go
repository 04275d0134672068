// Package settings holds the settings of a program, and opens what they name.
//
// Config is what flags and the environment say: its tags are for kong. It checks itself, reports each
// fault with the setting to change, and opens the ledger, Redis, the file store and the log.
// Program, Role and Terminal are what a command gets beside it.
//
// Packages boot and doctor run a service, or check one, with these settings.
package settings
