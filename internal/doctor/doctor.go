package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// Checkup is the command "doctor", which checks a service and prints each result.
type Checkup struct {
	settings.Form
}

// These are the states of a Finding.
const (
	stateOK   = "ok"
	stateWarn = "warn" // the service works, and may fail later
	stateFail = "fail" // the service does not work, or breaks a promise
)

// Finding is the result of one check.
type Finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, warn or fail
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"` // the next step
}

// ErrUnhealthy means that a check has failed.
var ErrUnhealthy = errors.New("a check failed: follow the advice (→) of each line with fail")

// checkupTimeout limits each of the checks of the database, of Redis and of the files.
const checkupTimeout = 5 * time.Second

// checkup is one run of the command doctor.
type checkup struct {
	cfg  settings.Config
	out  io.Writer
	form settings.Form
	ill  bool
	err  error
}

// Run checks the service. It returns ErrUnhealthy if a check has failed.
func (c Checkup) Run(ctx context.Context, cfg settings.Config, terminal settings.Terminal) error {
	d := &checkup{cfg: cfg, out: terminal.Stdout, form: c.Form}
	d.settings()
	d.secrets()
	for _, check := range []func(context.Context){d.ledger, d.redis, d.files} {
		bounded, cancel := context.WithTimeout(ctx, checkupTimeout)
		check(bounded)
		cancel()
	}
	if d.err == nil && d.ill {
		return ErrUnhealthy
	}
	return d.err
}

// report prints the result of a check. `advice` is the next step; it is left out if the state is ok.
func (d *checkup) report(check, state, advice, format string, args ...any) {
	f := Finding{Check: check, State: state, Found: fmt.Sprintf(format, args...), Advice: advice}
	if state == stateOK {
		f.Advice = ""
	}
	d.ill = d.ill || state == stateFail
	words := fmt.Sprintf("%-4s  %-18s  %s", f.State, f.Check, f.Found)
	if f.Advice != "" {
		words += "\n" + fmt.Sprintf("%26s%s", "→ ", f.Advice)
	}
	d.err = errors.Join(d.err, d.form.Print(d.out, f, "%s", words))
}

// unless returns stateOK if `holds` is true, and otherwise `other`.
func unless(holds bool, other string) string {
	if holds {
		return stateOK
	}
	return other
}

// settings checks the environment and the flags.
func (d *checkup) settings() {
	if err := d.cfg.Check(settings.Role{API: true}); err != nil {
		d.report("settings", stateFail, "correct the named setting; --help describes each setting", "%v", err)
		return
	}
	mode := "real: Postgres and Redis"
	if d.cfg.Embedded() {
		mode = "embedded: SQLite and Redis in one process, data in " + d.cfg.DataDir
	}
	d.report("settings", stateOK, "", "%s", mode)
}
