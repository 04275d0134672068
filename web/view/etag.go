package view

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Etag returns the ETag of a task's version in a language.
func Etag(lang string, t *tasks.Task) string {
	tag := strconv.FormatInt(t.Version, 10)
	if lang != words.Default {
		tag += "-" + lang
	}
	return strconv.Quote(tag)
}
