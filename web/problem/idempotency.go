package problem

import (
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/idempotency"
)

// These are the problems of requests with an Idempotency-Key.
var (
	errInFlight = &Problem{
		Status: http.StatusConflict, Code: "IDEMPOTENCY_IN_FLIGHT", RetryAfter: 1,
		Detail: "The first request with this Idempotency-Key is still running. Repeat this request to get its response.",
	}
	ErrKeyReused = New(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED",
		"Another request used this Idempotency-Key before. Use a new key for each request.")
	ErrSecretShown = New(http.StatusConflict, "SECRET_SHOWN_ONCE",
		"The first request with this Idempotency-Key succeeded. Its response showed a secret, "+
			"which is not shown again. If you did not receive it, request another secret with a new Idempotency-Key.")
)

// ofIdempotency returns the problem of an error about an Idempotency-Key; nil for other errors.
func ofIdempotency(err error) *Problem {
	switch {
	case errors.Is(err, idempotency.ErrInFlight), errors.Is(err, idempotency.ErrLost):
		return errInFlight
	case errors.Is(err, idempotency.ErrReused):
		return ErrKeyReused
	}
	return nil
}
