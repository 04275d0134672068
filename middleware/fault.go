package middleware

import (
	"errors"
	"reflect"
)

// plainError is the type of a fault whose errors are only texts.
const plainError = "error"

// faultType returns the type of the first error in the chain of err that is more than a text.
// Errors of packages errors and fmt are only texts.
func faultType(err error) string {
	if err == nil {
		return plainError
	}
	if t := reflect.TypeOf(err); !textOnly(t) {
		return t.String()
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return faultType(errors.Unwrap(err))
	}
	for _, one := range several.Unwrap() {
		if t := faultType(one); t != plainError {
			return t
		}
	}
	return plainError
}

// textOnly reports whether a type of error belongs to package errors or fmt.
func textOnly(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == "errors" || t.PkgPath() == "fmt"
}
