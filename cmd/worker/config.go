package main

import (
	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/boot"
)

// loadConfig reads flags and environment, or tells what is wrong and exits.
func loadConfig() boot.Config {
	var cfg boot.Config
	kong.Parse(&cfg, kong.Name("worker"), kong.Description(
		"Rollcall's workers: split uploads, run jobs, record what becomes of them. "+
			"Needs DATABASE_URL and REDIS_URL."))
	return cfg
}
