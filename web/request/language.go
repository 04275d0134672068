package request

import (
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// LangKey is the key of a gin.Context for the language of its request.
const LangKey = "lang"

// Printer returns a printer for the language of a request. If only a kind has texts in this
// language, the rest of a page is in the default language.
func Printer(c *gin.Context) locale.Printer {
	lang := c.GetString(LangKey)
	if !slices.Contains(words.Languages(), lang) {
		lang = words.Default
	}
	return locale.Printer(lang)
}
