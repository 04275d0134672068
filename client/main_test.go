package client_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }
