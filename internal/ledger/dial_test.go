package ledger

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
)

// TestMarked_KernelGivesUp_IsTransient: the kernel ends connections to a lost machine with a
// time-out, which is not a deadline of the caller.
func TestMarked_KernelGivesUp_IsTransient(t *testing.T) {
	t.Parallel()
	lost := &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ETIMEDOUT)}
	if !Transient(marked(lost)) {
		t.Errorf("Transient(%v) = false", lost)
	}
	late := &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}
	if err := marked(late); !errors.Is(err, os.ErrDeadlineExceeded) || Transient(err) {
		t.Errorf("marked(%v) = %v, and transient", late, err)
	}
}
