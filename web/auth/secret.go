package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
)

// Secret is the secret with which the service signs values that clients carry. All processes of the
// service have the same secret.
type Secret struct {
	// Load returns the secret. It is not called again after a call without an error.
	Load func(context.Context) ([]byte, error)

	mu   sync.Mutex
	text []byte
}

// Get returns the secret. If no earlier call of Load has succeeded, Get calls Load.
func (s *Secret) Get(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.text != nil {
		return s.text, nil
	}
	text, err := s.Load(ctx)
	if err == nil {
		s.text = text
	}
	return text, err
}

// Seal encodes a value as JSON and signs it, so that a browser can send it back with its next request.
// Open accepts the value only with the same purpose. The parts of a purpose must not contain NUL.
func (s *Secret) Seal(ctx context.Context, v any, purpose ...string) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	mark, err := s.sealOf(ctx, text, purpose)
	return base64.RawURLEncoding.EncodeToString(append(text, mark...)), err
}

// Open decodes a text from Seal into `v`, and reports whether it succeeded. It returns false if the text is
// malformed, the signature is invalid, or the purpose differs.
func (s *Secret) Open(ctx context.Context, text string, v any, purpose ...string) (bool, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	cut := len(raw) - sha256.Size
	if err != nil || cut < 1 {
		return false, nil
	}
	mark, err := s.sealOf(ctx, raw[:cut], purpose)
	return err == nil && hmac.Equal(mark, raw[cut:]) && json.Unmarshal(raw[:cut], v) == nil, err
}

func (s *Secret) sealOf(ctx context.Context, text []byte, purpose []string) ([]byte, error) {
	key, err := s.Get(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range purpose {
		_, _ = mac.Write([]byte(part + "\x00")) // the Write of a hash never returns an error
	}
	_, _ = mac.Write(text)
	return mac.Sum(nil), nil
}

// SignCookie returns a cookie value: the encoded text and a signature. VerifyCookie accepts the value only
// for the same cookie name.
func (s *Secret) SignCookie(ctx context.Context, name string, text []byte) (string, error) {
	key, err := s.Get(ctx)
	return base64.RawURLEncoding.EncodeToString(text) + "." +
		base64.RawURLEncoding.EncodeToString(cookieSignature(key, name, text)), err
}

// VerifyCookie returns the text in a cookie value from SignCookie. The result `ok` is false if the value
// lacks a valid signature for this name.
func (s *Secret) VerifyCookie(ctx context.Context, name, value string) (text []byte, ok bool, err error) {
	key, err := s.Get(ctx)
	if err != nil {
		return nil, false, err
	}
	body, seal, _ := strings.Cut(value, ".")
	text, err = base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, false, nil
	}
	mac, err := base64.RawURLEncoding.DecodeString(seal)
	return text, err == nil && hmac.Equal(mac, cookieSignature(key, name, text)), nil
}

func cookieSignature(key []byte, name string, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("cookie\x00" + name + "\x00"))
	mac.Write(text)
	return mac.Sum(nil)
}
