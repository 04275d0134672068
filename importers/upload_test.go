package importers

import "testing"

// TestLyingContainerIsNoStorageFault: a place before the file comes from the
// file, not from the storage.
func TestLyingContainerIsNoStorageFault(t *testing.T) {
	t.Parallel()
	u := upload{size: 10}
	if _, err := u.ReadAt(make([]byte, 1), -1); err == nil || u.err != nil {
		t.Errorf("ReadAt(-1): %v, kept as a storage fault: %v", err, u.err)
	}
}
