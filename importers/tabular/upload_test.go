package tabular

import "testing"

// TestUpload_NegativeOffset_IsNoStorageFault: a negative offset is an error of the file, not of the
// storage.
func TestUpload_NegativeOffset_IsNoStorageFault(t *testing.T) {
	t.Parallel()
	u := NewUpload(nil, 10)
	if _, err := u.ReadAt(make([]byte, 1), -1); err == nil || u.Err != nil {
		t.Errorf("ReadAt(-1): %v, kept as a storage fault: %v", err, u.Err)
	}
}
