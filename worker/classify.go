package worker

import (
	"context"
	"errors"
)

// Classify has f read the errors of a kind's handler that do not say by
// themselves what they are: it returns a Failure, NoRetry, RetryAfter, Snooze or
// Cancel for those of a driver or a partner that it knows, nil for one that is
// none, and every other error as it is. So a handler returns what it got, and the
// meaning of a code stands in one place for all kinds. f gets no error of a
// handler that was interrupted. Default: such errors are system faults.
func Classify(f func(error) error) Option { return func(k *Kind) { k.Classify = f } }

// Judge is what an error of the kind's handler means, with its classifier
// asked. See the function Judge.
func (k Kind) Judge(ctx context.Context, err, interrupted error) Verdict {
	v := Judge(ctx, err, interrupted)
	if v.Kind != Retry || k.Classify == nil || ordered(err) {
		return v
	}
	return Judge(ctx, k.Classify(err), interrupted)
}

// classified is an error of a handler that was called here and now.
func (k Kind) classified(err error) error {
	if k.Classify == nil || Judge(context.Background(), err, nil).Kind != Retry || ordered(err) {
		return err
	}
	return k.Classify(err)
}

// ordered tells whether an error says what is to be done.
func ordered(err error) bool {
	var o *order
	return errors.As(err, &o)
}
