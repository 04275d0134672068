package problem

import (
	"errors"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/idempotency"
)

// Problems of requests with an Idempotency-Key.
var (
	errInFlight = &Problem{
		Status: http.StatusConflict, Code: "IDEMPOTENCY_IN_FLIGHT", RetryAfter: 1,
		Detail: "The first request with this Idempotency-Key is under way. Ask again for its answer.",
	}
	ErrKeyReused = New(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED",
		"This Idempotency-Key came with another request before. Give each request its own.")
	ErrSecretShown = New(http.StatusConflict, "SECRET_SHOWN_ONCE",
		"This was done, by the first request with this Idempotency-Key. Its answer showed a secret, "+
			"which is not kept; if it did not arrive, ask for another secret under another key.")
)

// ofIdempotency returns the problem of an Idempotency-Key, or nil.
func ofIdempotency(err error) *Problem {
	switch {
	case errors.Is(err, idempotency.ErrInFlight), errors.Is(err, idempotency.ErrLost):
		return errInFlight
	case errors.Is(err, idempotency.ErrReused):
		return ErrKeyReused
	}
	return nil
}
