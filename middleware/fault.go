package middleware

import (
	"errors"
	"reflect"
)

// plainError is the fault type of an error whose chain has only types of package errors or fmt.
const plainError = "error"

// faultType returns the name of the first Go type in the error chain of `err` that does not belong to
// package errors or fmt. If all types belong to these packages, it returns plainError.
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

// textOnly reports whether an error type belongs to package errors or fmt.
func textOnly(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == "errors" || t.PkgPath() == "fmt"
}
