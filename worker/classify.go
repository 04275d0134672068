package worker

import (
	"context"
	"errors"
)

// Classify sets a function that classifies errors of a kind's handler without a known meaning. For
// errors of a driver or a partner, f returns a Failure, NoRetry, RetryAfter, Snooze or Cancel; nil
// for success; and every other error unchanged. A handler can then return errors unchanged, and one
// function decides for all kinds. f does not get errors of interrupted handlers. Default: such
// errors are system faults.
func Classify(f func(error) error) Option { return func(k *Kind) { k.Classify = f } }

// Judge classifies an error of the kind's handler, with the classifier of the kind. See the
// function Judge.
func (k Kind) Judge(ctx context.Context, err, interrupted error) Verdict {
	v := Judge(ctx, err, interrupted)
	if v.Kind != Retry || k.Classify == nil || ordered(err) {
		return v
	}
	return Judge(ctx, k.Classify(err), interrupted)
}

// classified returns an error of Definition.Call after the classifier of the kind.
func (k Kind) classified(err error) error {
	if k.Classify == nil || Judge(context.Background(), err, nil).Kind != Retry || ordered(err) {
		return err
	}
	return k.Classify(err)
}

// ordered reports whether an error carries a verdict.
func ordered(err error) bool {
	var o *order
	return errors.As(err, &o)
}
