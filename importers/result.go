package importers

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Result is a task's rows on their way back to the person: the columns of the
// upload, in its order, and what became of each row.
type Result struct {
	Task *tasks.Task
	Rows iter.Seq2[*events.Event, error] // in file order
}

// resultColumns stand behind those of the upload. Row id names the event.
var resultColumns = []string{"Row", "Status", "Code", "Column", "Message", "Hint", "Row id"}

// WriteCSV writes the result with a byte order mark, so that Excel reads it as
// UTF-8. Cells that a spreadsheet would run as a formula get an apostrophe.
func (r Result) WriteCSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(r.guarded(r.headings())); err != nil {
		return err
	}
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		cells, err := r.cells(e)
		if err != nil {
			return err
		}
		if err := out.Write(r.guarded(cells)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteJSONL writes one JSON object a row: the params of the row and, beside
// them, what became of it.
func (r Result) WriteJSONL(w io.Writer) error {
	out := json.NewEncoder(w)
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		err = out.Encode(map[string]any{
			"id": e.ID.JobID(r.Task.ID), "row": e.Row, "status": e.Status,
			"params": json.RawMessage(e.Params), "code": e.Code, "column": e.Col,
			"message": e.Message, "hint": e.Hint,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r Result) headings() []string {
	var out []string
	for _, c := range r.Task.Columns {
		out = append(out, c.Header)
	}
	return append(out, resultColumns...)
}

// cells are the texts of one row.
func (r Result) cells(e *events.Event) ([]string, error) {
	params := map[string]string{}
	if err := json.Unmarshal([]byte(e.Params), &params); err != nil {
		return nil, fmt.Errorf("importers: result of row %d: %w", e.Row, err)
	}
	out := make([]string, 0, len(r.Task.Columns)+len(resultColumns))
	for i := range r.Task.Columns {
		out = append(out, params[paramName(r.Task.Columns, i)])
	}
	out = append(out, strconv.Itoa(e.Row), string(e.Status), text(e.Code), text(e.Col),
		text(e.Message), text(e.Hint), e.ID.JobID(r.Task.ID))
	return append(out, extras(e, params, len(r.Task.Columns))...), nil
}

// extras are the cells right of the last heading, of a row that failed for
// them: they stand behind everything else, so that nothing of it is lost.
func extras(e *events.Event, params map[string]string, columns int) []string {
	if text(e.Code) != CodeTooManyCells {
		return nil
	}
	var out []string
	for name, value := range params {
		n, err := strconv.Atoi(strings.TrimPrefix(name, extraPrefix))
		if err != nil || n <= columns || n > maxCol {
			continue
		}
		for len(out) < n-columns {
			out = append(out, "")
		}
		out[n-columns-1] = value
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (r Result) guarded(cells []string) []string {
	for i, c := range cells {
		cells[i] = guard(c)
	}
	return cells
}

// guard defuses a text that a spreadsheet would run as a formula, as OWASP
// ASVS 1.2.10 asks; a plain negative number stays as it is.
func guard(s string) string {
	t := strings.TrimLeft(s, " \"'\u00a0")
	if t == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(t)[0]) {
		return s
	}
	if number(s) {
		return s
	}
	return "'" + s
}

// number tells whether s is a plain number of a length that a spreadsheet
// keeps exactly.
func number(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 15 || strings.Trim(digits, "0123456789.") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
