package main

import (
	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/boot"
)

// loadConfig reads flags and environment, or tells what is wrong and exits.
func loadConfig() boot.Config {
	var cfg boot.Config
	kong.Parse(&cfg, kong.Name("api"), kong.Description(
		"Rollcall's API and dashboard. Without DATABASE_URL and REDIS_URL it runs everything, "+
			"workers too, in this one process."))
	return cfg
}
