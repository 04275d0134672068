// Package settings holds the settings of a program, and opens the configured stores.
//
// Config holds the values of flags and environment, which package kong reads by the struct tags.
// The methods of Config validate the settings, and return each fault with the setting to change.
// Other methods open the ledger, Redis, the file store and the log. Role and Terminal hold the
// other arguments of a command.
//
// Package boot runs a service with these settings, and package doctor checks it.
package settings
