// Package settings holds the settings of a program, and opens the configured stores.
//
// Config holds the values of flags and environment; its tags are for kong. Its methods validate the
// settings, and report each fault with the setting to change. They also open the ledger, Redis, the
// file store and the log. Role and Terminal are the further arguments of a command.
//
// Package boot runs a service with these settings, and package doctor checks it.
package settings
