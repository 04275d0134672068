package request

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
)

// sealKey is the key under which a request for a list stores the secret of cursors.
const sealKey = "seal"

// sealBytes is the number of bytes of a signature in a cursor.
const sealBytes = 16

// unseal reads the cursor of a request, and returns 0 without a cursor. The cursor must have been
// given to this tenant, for this list and these filters.
func (s *Cursors) unseal(c *gin.Context) (at int64, err error) {
	place, err := s.UnsealText(c)
	switch {
	case err != nil || place == nil:
		return 0, err
	case len(place) != 8:
		return 0, input.BadCursor()
	}
	return int64(binary.BigEndian.Uint64(place)), nil
}

// UnsealText is like unseal for a list whose places are texts; nil without a cursor.
func (s *Cursors) UnsealText(c *gin.Context) ([]byte, error) {
	key, err := s.Secret.Get(c.Request.Context())
	if err != nil {
		return nil, err
	}
	c.Set(sealKey, key)
	text, given := c.GetQuery("cursor")
	if !given || text == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	cut := len(raw) - sealBytes
	if err != nil || cut < 1 || !hmac.Equal(raw[cut:], seal(c, raw[:cut])) {
		return nil, input.BadCursor()
	}
	return raw[:cut], nil
}

// Sealed returns a cursor for the tenant, the list and the filters of a request.
func Sealed(c *gin.Context, at *int64) *string {
	if at == nil {
		return nil
	}
	return SealedText(c, binary.BigEndian.AppendUint64(nil, uint64(*at)))
}

// SealedText is like Sealed for a list whose places are texts.
func SealedText(c *gin.Context, place []byte) *string {
	text := base64.RawURLEncoding.EncodeToString(append(place, seal(c, place)...))
	return &text
}

// seal returns the signature of a place in the list of a request.
func seal(c *gin.Context, place []byte) []byte {
	key, _ := c.Get(sealKey)
	secret, _ := key.([]byte) // unseal has stored the secret before
	q := c.Request.URL.Query()
	q.Del("cursor")
	q.Del("limit")
	q.Del("since")
	mac := hmac.New(sha256.New, secret)
	for _, part := range []string{string(place), Caller(c).Tenant, c.Request.URL.Path, q.Encode()} {
		_, _ = mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part)))) // a hash returns no error
		_, _ = mac.Write([]byte(part))
	}
	return mac.Sum(nil)[:sealBytes]
}
