package traces

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options holds the settings of a Tracer. Endpoint is required.
type Options struct {
	// Endpoint is the address of a collector, such as "http://host:4318". Spans are sent to the
	// path /v1/traces below it, as OTLP in JSON.
	Endpoint string

	// Headers are added to each request. Default: none.
	Headers map[string]string

	// Service is the name of this process. Default "rollcall".
	Service string

	// Share is the fraction of tasks that are traced, above 0 and at most 1. Processes with the same
	// value trace the same tasks. Default 1.
	Share float64

	// Log receives a record when the collector rejects spans or becomes unreachable. Default: none.
	Log *slog.Logger
}

// Tracer is a tracer that adds spans to the traces of tasks. It is safe for concurrent use; a nil
// Tracer is a no-op.
type Tracer struct {
	share    float64
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer that sends spans until it is closed.
func New(opt Options) *Tracer {
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(newExporter(opt)), sdktrace.WithIDGenerator(ids{}),
		sdktrace.WithSampler(sdktrace.AlwaysSample()),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", cmp.Or(opt.Service, "rollcall")))),
	)
	return &Tracer{cmp.Or(opt.Share, 1), provider, provider.Tracer("github.com/rollcall-dev/rollcall")}
}

// closeTimeout bounds the last request to a collector.
const closeTimeout = 3 * time.Second

// Close sends the remaining spans.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// root returns the first span of a task; false if the task is not traced.
func (t *Tracer) root(taskID string) (trace.SpanContext, bool) {
	if t == nil {
		return trace.SpanContext{}, false
	}
	root, ok := rootOf(taskID)
	return root, ok && share(root.TraceID(), t.share)
}

// Header returns the traceparent header of requests for a task; empty if the task is not traced.
func (t *Tracer) Header(taskID string) string {
	root, ok := t.root(taskID)
	if !ok {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithRemoteSpanContext(context.Background(), root), carrier)
	return carrier["traceparent"]
}

// Span is one step of a task.
type Span struct {
	Task  string // id
	Name  string
	Began time.Time // by this machine's clock
	Took  time.Duration
	Facts []slog.Attr // texts and whole numbers
	Fault string      // the reason for a failure; empty without one
}

// Accepted adds the first span of a task. The argument `from` is the traceparent header of the request
// that created the task, or "". The span links to the trace of that request.
func (t *Tracer) Accepted(s Span, from string) {
	root, ok := t.root(s.Task)
	if !ok {
		return
	}
	opts := []trace.SpanStartOption{
		trace.WithNewRoot(), trace.WithTimestamp(s.Began), trace.WithSpanKind(trace.SpanKindServer),
	}
	asked := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": from})
	if caller := trace.SpanContextFromContext(asked); caller.IsValid() {
		opts = append(opts, trace.WithLinks(trace.Link{SpanContext: caller}))
	}
	_, span := t.tracer.Start(context.WithValue(context.Background(), rootKey{}, root), s.Name, opts...)
	finish(span, s)
}

// Did adds a span of a completed step of a task.
func (t *Tracer) Did(s Span) {
	root, ok := t.root(s.Task)
	if !ok {
		return
	}
	_, span := t.tracer.Start(trace.ContextWithRemoteSpanContext(context.Background(), root), s.Name,
		trace.WithTimestamp(s.Began), trace.WithSpanKind(trace.SpanKindConsumer))
	finish(span, s)
}

// begun is the context key under which Begin stores its argument `key`.
type begun struct{}

// Begin starts a span of a task. A call of End with the same `key` ends the span. Spans that
// OpenTelemetry starts with the returned context are children of this span. If the task is not traced,
// Begin returns ctx.
func (t *Tracer) Begin(ctx context.Context, s Span, key string) context.Context {
	root, ok := t.root(s.Task)
	if !ok {
		return ctx
	}
	ctx, _ = t.tracer.Start(trace.ContextWithRemoteSpanContext(ctx, root), s.Name,
		trace.WithTimestamp(s.Began), trace.WithSpanKind(trace.SpanKindConsumer))
	return context.WithValue(ctx, begun{}, key)
}

// End ends the span that Begin started with the same `key`, and reports whether ctx has this span.
func (t *Tracer) End(ctx context.Context, s Span, key string) bool {
	if t == nil || ctx.Value(begun{}) != key {
		return false
	}
	finish(trace.SpanFromContext(ctx), s)
	return true
}

// finish sets the attributes and the error of a span, and ends it.
func finish(span trace.Span, s Span) {
	for _, a := range s.Facts {
		if a.Value.Kind() == slog.KindInt64 {
			span.SetAttributes(attribute.Int64(a.Key, a.Value.Int64()))
			continue
		}
		span.SetAttributes(attribute.String(a.Key, a.Value.String()))
	}
	if s.Fault != "" {
		span.SetStatus(codes.Error, s.Fault)
	}
	span.End(trace.WithTimestamp(s.Began.Add(s.Took)))
}
