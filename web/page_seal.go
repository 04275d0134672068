package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/gin-gonic/gin"
)

// sealJSON encodes a value that a browser keeps until its next request. The seal
// holds for one purpose, named by parts without NUL.
func (p *pages) sealJSON(c *gin.Context, v any, purpose ...string) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	mark, err := p.sealOf(c.Request.Context(), text, purpose)
	return base64.RawURLEncoding.EncodeToString(append(text, mark...)), err
}

// openJSON decodes into v what sealJSON returned for the same purpose, and reports
// whether the text is such a value.
func (p *pages) openJSON(c *gin.Context, text string, v any, purpose ...string) (bool, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	cut := len(raw) - sha256.Size
	if err != nil || cut < 1 {
		return false, nil
	}
	mark, err := p.sealOf(c.Request.Context(), raw[:cut], purpose)
	return err == nil && hmac.Equal(mark, raw[cut:]) && json.Unmarshal(raw[:cut], v) == nil, err
}

func (p *pages) sealOf(ctx context.Context, text []byte, purpose []string) ([]byte, error) {
	key, err := p.secret.get(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range purpose {
		_, _ = mac.Write([]byte(part + "\x00")) // a hash takes all
	}
	_, _ = mac.Write(text)
	return mac.Sum(nil), nil
}
