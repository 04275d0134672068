package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Checkup says how to look a service over.
type Checkup struct {
	Form
}

// The states of a Finding.
const (
	stateOK   = "ok"
	stateWarn = "warn" // it works, and may not when it matters
	stateFail = "fail" // it does not work, or loses what was promised
)

// Finding is one thing that a doctor has looked at.
type Finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, warn or fail
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"` // what to do about it
}

// ErrUnhealthy means that something will not work.
var ErrUnhealthy = errors.New("something will not work: see what the lines with fail advise")

// checkupTimeout bounds the look at one part.
const checkupTimeout = 5 * time.Second

// doctor looks a service over. It changes nothing but a file that it makes and
// removes again.
type doctor struct {
	cfg  Config
	out  io.Writer
	form Form
	ill  bool
	err  error
}

// Run does so.
func (c Checkup) Run(ctx context.Context, cfg Config, desk Desk) error {
	d := &doctor{cfg: cfg, out: desk.Stdout, form: c.Form}
	d.settings()
	d.secrets()
	for _, look := range []func(context.Context){d.ledger, d.redis, d.files} {
		bounded, cancel := context.WithTimeout(ctx, checkupTimeout)
		look(bounded)
		cancel()
	}
	if d.err == nil && d.ill {
		return ErrUnhealthy
	}
	return d.err
}

// finds tells of something in one of the states.
func (d *doctor) finds(check, state, advice, format string, args ...any) {
	f := Finding{Check: check, State: state, Found: fmt.Sprintf(format, args...), Advice: advice}
	if state == stateOK {
		f.Advice = ""
	}
	d.ill = d.ill || state == stateFail
	words := fmt.Sprintf("%-4s  %-18s  %s", f.State, f.Check, f.Found)
	if f.Advice != "" {
		words += "\n" + fmt.Sprintf("%26s%s", "→ ", f.Advice)
	}
	d.err = errors.Join(d.err, d.form.tell(d.out, f, "%s", words))
}

// unless is the state of something that holds, or the other.
func unless(holds bool, other string) string {
	if holds {
		return stateOK
	}
	return other
}

// settings looks at what the environment and the flags say.
func (d *doctor) settings() {
	if err := d.cfg.Check(Role{API: true}); err != nil {
		d.finds("settings", stateFail, "set what is named; --help tells each setting", "%v", err)
		return
	}
	mode := "real: Postgres and Redis"
	if d.cfg.Embedded() {
		mode = "embedded: SQLite and Redis in one process, data in " + d.cfg.DataDir
	}
	d.finds("settings", stateOK, "", "%s", mode)
}
