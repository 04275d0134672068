package deployments_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

var update = flag.Bool("update", false, "write docs/run/settings.md anew")

// units are the units of settings that are numbers.
var units = map[string]string{
	"CONCURRENCY": "jobs", "CRASH_LIMIT": "crashes", "DATABASE_POOL": "connections", "MAX_UPLOAD": "bytes", "MAX_ROWS": "rows", "MAX_COLUMNS": "columns", "RATE_LIMIT": "requests a minute", "OPEN_RATE_LIMIT": "requests a minute",
	"MAX_CONNECTIONS": "connections", "MAX_CONNECTIONS_PER_CLIENT": "connections", "RETENTION": "days", "AUDIT_RETENTION": "days",
	"OTEL_TRACES_SAMPLER_ARG": "fraction of tasks",
}

const settingsHead = `# Settings

For operators. Both programs read these settings from the environment or from flags, such as ` + "`--listen`" + `; a flag wins.
A program lists all wrong settings at its start and exits. ` + "`api --help`" + ` prints the same list.

This page is made from the programs: ` + "`go test ./deployments -run Settings_Page -update`" + `.

| setting | default | unit | meaning |
|---|---|---|---|
`

// unitOf returns the unit of a setting.
func unitOf(t *testing.T, name string, f *kong.Flag) string {
	t.Helper()
	kind := f.Target.Type()
	switch {
	case kind == reflect.TypeFor[time.Duration]():
		return "duration, such as `90s` or `10m`"
	case kind.Kind() == reflect.Bool:
		return "`true` or `false`"
	case kind.Kind() == reflect.Slice:
		return "list, separated by commas"
	case kind.Kind() == reflect.Map:
		return "`name=value` list, separated by commas"
	case kind.Kind() == reflect.String && f.Enum != "":
		return "one of " + "`" + strings.ReplaceAll(f.Enum, ",", "`, `") + "`"
	case kind.Kind() == reflect.String:
		return "text"
	case units[name] == "":
		t.Errorf("%s is a number: name its unit in units", name)
	}
	return units[name]
}

// settingsPage generates the text that docs/run/settings.md must have, from the settings of the
// programs.
func settingsPage(t *testing.T) string {
	t.Helper()
	var cfg settings.Config
	parser, err := kong.New(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(settingsHead)
	for _, group := range parser.Model.AllFlags(false) {
		for _, f := range group {
			for _, name := range f.Envs {
				value := "none"
				if f.HasDefault {
					value = "`" + f.Default + "`"
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, value, unitOf(t, name, f), strings.ReplaceAll(f.Help, "|", `\|`))
			}
		}
	}
	return b.String()
}

func TestSettings_Page_IsWhatTheProgramsRead(t *testing.T) {
	t.Parallel()
	const name = "../docs/run/settings.md"
	want := settingsPage(t)
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if file(t, name) != want {
		t.Errorf("%s is not what the programs read: run go test ./deployments -run Settings_Page -update", name)
	}
}
