package request

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
)

// sealKey is the key of a gin.Context for the secret that signs cursors.
const sealKey = "seal"

// sealBytes is the length of the signature in a cursor, in bytes.
const sealBytes = 16

// unseal returns the position in the cursor of a request; 0 without a cursor. It returns an error if the
// cursor is malformed, or belongs to another tenant, list, filter or order.
func (s *Cursors) unseal(c *gin.Context) (at int64, err error) {
	position, err := s.UnsealText(c)
	switch {
	case err != nil || position == nil:
		return 0, err
	case len(position) != 8:
		return 0, input.BadCursor()
	}
	return int64(binary.BigEndian.Uint64(position)), nil
}

// UnsealText returns the position in the cursor of a request, for lists whose positions are strings; nil
// without a cursor. It also stores the secret that Sealed and SealedText need.
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

// Sealed returns a cursor that is valid for the tenant, list and filters of the request. It returns nil
// for a nil position. Call ListPage or UnsealText before Sealed, because they store the secret.
func Sealed(c *gin.Context, at *int64) *string {
	if at == nil {
		return nil
	}
	return SealedText(c, new(string(binary.BigEndian.AppendUint64(nil, uint64(*at)))))
}

// SealedText is like Sealed, for lists whose positions are strings.
func SealedText(c *gin.Context, position *string) *string {
	if position == nil {
		return nil
	}
	text := base64.RawURLEncoding.EncodeToString(append([]byte(*position), seal(c, []byte(*position))...))
	return &text
}

// seal returns the signature of a position in the list that the request reads.
func seal(c *gin.Context, position []byte) []byte {
	key, _ := c.Get(sealKey)
	secret, _ := key.([]byte) // UnsealText has stored the secret
	q := c.Request.URL.Query()
	q.Del("cursor")
	q.Del("limit")
	q.Del("since")
	q.Del("fields")
	mac := hmac.New(sha256.New, secret)
	for _, part := range []string{string(position), Caller(c).Tenant, c.Request.URL.Path, q.Encode()} {
		_, _ = mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part)))) // a hash returns no error
		_, _ = mac.Write([]byte(part))
	}
	return mac.Sum(nil)[:sealBytes]
}
