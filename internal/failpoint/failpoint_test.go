package failpoint_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
)

// TestHit_UnarmedProgram_Survives runs this test again in a process whose environment names a
// failpoint. Without the linker's flag nothing happens.
func TestHit_UnarmedProgram_Survives(t *testing.T) {
	t.Parallel()
	if os.Getenv("FAILPOINT") == "here" {
		failpoint.Hit("here")
		if now := time.Now(); !failpoint.Skewed(now).Equal(now) {
			t.Error("the clock is skewed in a program that was not linked for tests")
		}
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHit_UnarmedProgram_Survives$")
	cmd.Env = append(os.Environ(), "FAILPOINT=here", "CLOCK_SKEW=1h")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the process ended with %v:\n%s", err, out)
	}
}
