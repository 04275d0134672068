package textutil_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

func TestSizeInBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"500 MB": "524288000", "1gb": "1073741824", "2 ГБ": "2147483648", "x МБ": "x МБ", "7 B": "7", "0 kB": "0", "12": "12", "": "", "MB": "MB",
		"1.5 GB": "1.5 GB", "-1 MB": "-1 MB", "2 гб": "2147483648", "3 Мб": "3145728", "4кБ": "4096", "5 тб": "5497558138880", "9000 PB": "9000 PB", "8192 PB": "8192 PB", "x MB": "x MB",
	} {
		if got := textutil.SizeInBytes(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSize_IsReadAsItself(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1: "1 B", 1023: "1023 B", 2048: "2 kB", 1 << 29: "512 MB", 1 << 62: "4096 PB"} {
		got := textutil.Size(n)
		if back := textutil.SizeInBytes(got); got != want || back == got {
			t.Errorf("%d: %q, want %q; read as %q", n, got, want, back)
		}
	}
}
