package doctor

// secrets warns if the signing secrets of webhooks are stored without encryption.
func (d *checkup) secrets() {
	d.report("secret keys", unless(d.cfg.Seals(), stateWarn),
		"set SECRET_KEYS to the output of \"openssl rand -base64 32\" for all processes, then run \"reseal\"",
		"%s", map[bool]string{
			true:  "new signing secrets are encrypted in the database; \"reseal --check\" counts secrets without encryption by the first key",
			false: "signing secrets of webhooks are stored in plain text: a copy of the database is enough to forge signatures",
		}[d.cfg.Seals()])
}
