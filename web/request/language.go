package request

import (
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// LangKey is the key under which a request stores its language.
const LangKey = "lang"

// Printer returns the printer of the language of a request. If only some kind has the language, pages
// are in the default language, and their rows in that language.
func Printer(c *gin.Context) locale.Printer {
	lang := c.GetString(LangKey)
	if !slices.Contains(words.Languages(), lang) {
		lang = words.Default
	}
	return locale.Printer(lang)
}
