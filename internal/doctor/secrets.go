package doctor

// secrets warns if the signing secrets of webhooks are stored without encryption.
func (d *checkup) secrets() {
	d.report("secret keys", unless(d.cfg.Seals(), stateWarn),
		"set SECRET_KEYS to a key of \"openssl rand -base64 32\" for all processes, then run \"reseal\"",
		"%s", map[bool]string{
			true:  "signing secrets are encrypted in the database; \"reseal --check\" counts the others",
			false: "signing secrets of webhooks are stored as they are: a copy of the database is enough to sign",
		}[d.cfg.Seals()])
}
