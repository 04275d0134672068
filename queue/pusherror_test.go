package queue

import (
	"strings"
	"testing"
)

// TestPushError_FullKeysAndAFault_NamesTheFault: a full key is no error, and must not hide one.
func TestPushError_FullKeysAndAFault_NamesTheFault(t *testing.T) {
	var e PushError
	e.add(ErrKeyFull, 0)
	if text := e.Error(); !strings.HasSuffix(text, "first job 0: key is full") {
		t.Error(text)
	}
	e.add(ErrMoving, 3)
	e.add(errStopped, 1)
	if text := e.orNil().Error(); !strings.Contains(text, "3 jobs not pushed, first job 3: queue was resharded") {
		t.Error(text)
	}
}
