package traces

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/trace"
)

// rootOf returns the first span of a task's trace; false for an invalid task id.
func rootOf(taskID string) (trace.SpanContext, bool) {
	id, err := uuid.Parse(taskID)
	if err != nil {
		return trace.SpanContext{}, false
	}
	sum := sha256.Sum256([]byte("rollcall/" + taskID))
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(id), SpanID: trace.SpanID(sum[:8]), TraceFlags: trace.FlagsSampled, Remote: true,
	}), true
}

// share reports whether a task is traced if only the fraction `part` of all tasks is traced. It uses the
// last bytes of the task's id, which are random. All processes therefore get the same result.
func share(of trace.TraceID, part float64) bool {
	const bits = 32
	return float64(binary.BigEndian.Uint32(of[len(of)-4:])) < part*(1<<bits)
}

// ids is a generator of the ids of spans. For the first span of a task, it returns the ids in the
// context value of rootKey.
type ids struct{}

// rootKey is the context key of a trace.SpanContext. The next span gets the ids of this SpanContext.
type rootKey struct{}

// NewIDs implements sdktrace.IDGenerator.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if root, ok := ctx.Value(rootKey{}).(trace.SpanContext); ok {
		return root.TraceID(), root.SpanID()
	}
	var id trace.TraceID
	binary.BigEndian.PutUint64(id[:8], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64()|1)
	return id, ids{}.NewSpanID(ctx, id)
}

// NewSpanID implements sdktrace.IDGenerator.
func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	binary.BigEndian.PutUint64(id[:], rand.Uint64()|1)
	return id
}
