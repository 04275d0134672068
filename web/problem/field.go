package problem

import (
	"fmt"
	"net/http"
	"strings"
)

// BadField returns the problem of a field of a JSON request; dots in its name separate
// the names of nested objects.
func BadField(name, detail string) *Problem {
	pointer := "/" + strings.NewReplacer("~", "~0", ".", "/").Replace(name)
	return New(http.StatusUnprocessableEntity, "INVALID_FIELD", detail).At(pointer)
}

// BadMember returns the problem of a member of a JSON request or a field of a form.
func BadMember(name string, status int, detail string) *Problem {
	return New(status, "INVALID_FIELD", detail).At("/" + Pointer(name))
}

// BadParameter returns the problem of a parameter of the address.
func BadParameter(name, detail string) *Problem {
	return New(http.StatusBadRequest, "INVALID_PARAMETER", detail).At("?" + name)
}

// BadOption returns the problem of an option of a task; name "" means all options.
func BadOption(name, detail string) *Problem {
	at := "/options"
	if name != "" {
		at += "/" + Pointer(name)
	}
	return New(http.StatusUnprocessableEntity, "INVALID_OPTIONS", detail).At(at)
}

// Pointer escapes a name as one part of a JSON pointer.
func Pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(fmt.Sprintf("%.100s", name), ""))
}
