package request

import (
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// LangKey is the key of a gin.Context for the language of its request.
const LangKey = "lang"

// Printer returns a printer for the language of a request. If Rollcall has no texts in this language, it
// returns a printer for the default language. Only the texts of kinds are then in the requested language.
func Printer(c *gin.Context) locale.Printer {
	lang := c.GetString(LangKey)
	if !slices.Contains(words.Languages(), lang) {
		lang = words.Default
	}
	return locale.Printer(lang)
}
