package traces

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// sendTimeout bounds one request to a collector.
const sendTimeout = 10 * time.Second

// exporter is a client that sends spans to a collector as OTLP over HTTP, in JSON. OpenTelemetry's own
// exporter would add gRPC to the dependencies.
type exporter struct {
	url     string
	headers map[string]string
	client  *http.Client
	log     *slog.Logger
	away    atomic.Bool // the last request failed; logged once
}

func newExporter(opt Options) *exporter {
	return &exporter{
		url:     strings.TrimSuffix(opt.Endpoint, "/") + "/v1/traces",
		headers: opt.Headers, client: &http.Client{Timeout: sendTimeout}, log: opt.Log,
	}
}

// ExportSpans implements sdktrace.SpanExporter. It drops spans that it cannot send.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	err := e.send(ctx, spans)
	if failedBefore := e.away.Swap(err != nil); err != nil && !failedBefore {
		e.log.Warn("spans are dropped: the collector does not accept them", "err", err)
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

func (e *exporter) send(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(batchOf(spans))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range e.headers {
		req.Header.Set(name, value)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16)) // lets the connection be reused
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("traces: the collector answered %s", resp.Status)
	}
	return nil
}

// These types are the messages of OTLP in JSON. Ids are in hex, and 64-bit integers are texts.
type (
	batch struct {
		Resources []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource holder       `json:"resource"`
		Scopes   []scopeSpans `json:"scopeSpans"`
	}
	scopeSpans struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []span `json:"spans"`
	}
	holder struct {
		Attributes []pair `json:"attributes"`
	}
	pair struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
	span struct {
		TraceID    string `json:"traceId"`
		SpanID     string `json:"spanId"`
		Parent     string `json:"parentSpanId,omitempty"`
		Name       string `json:"name"`
		Kind       int    `json:"kind"`
		Start      string `json:"startTimeUnixNano"`
		End        string `json:"endTimeUnixNano"`
		Attributes []pair `json:"attributes,omitempty"`
		Links      []link `json:"links,omitempty"`
		Status     status `json:"status"`
	}
	link struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	status struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

// codeError is the status code that OTLP has for a failed span.
const codeError = 2

func batchOf(spans []sdktrace.ReadOnlySpan) batch {
	var scope scopeSpans
	scope.Scope.Name = spans[0].InstrumentationScope().Name
	for _, s := range spans {
		scope.Spans = append(scope.Spans, spanOf(s))
	}
	own := holder{pairs(spans[0].Resource().Attributes())}
	return batch{[]resourceSpans{{own, []scopeSpans{scope}}}}
}

func spanOf(s sdktrace.ReadOnlySpan) span {
	out := span{
		TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(),
		Name: s.Name(), Kind: int(s.SpanKind()), Attributes: pairs(s.Attributes()),
		Start: strconv.FormatInt(s.StartTime().UnixNano(), 10), End: strconv.FormatInt(s.EndTime().UnixNano(), 10),
	}
	if s.Parent().SpanID().IsValid() {
		out.Parent = s.Parent().SpanID().String()
	}
	for _, l := range s.Links() {
		out.Links = append(out.Links, link{l.SpanContext.TraceID().String(), l.SpanContext.SpanID().String()})
	}
	if text := s.Status().Description; text != "" {
		out.Status = status{codeError, text}
	}
	return out
}

func pairs(attrs []attribute.KeyValue) []pair {
	out := make([]pair, len(attrs))
	for i, a := range attrs {
		value := map[string]any{"stringValue": a.Value.String()}
		if a.Value.Type() == attribute.INT64 {
			value = map[string]any{"intValue": strconv.FormatInt(a.Value.AsInt64(), 10)}
		}
		out[i] = pair{string(a.Key), value}
	}
	return out
}
