package notify

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// SealKeySize is the size of a key of a Seal, in bytes.
const SealKeySize = 32

// sealMark is the prefix of a sealed secret, which has the form "sealed:KEY:BASE64". KEY names the key.
// BASE64 encodes a nonce and the secret, encrypted with AES-256-GCM. An unsealed signing secret begins with
// "whsec_" instead.
const sealMark = "sealed:"

// These are errors that callers may test for with errors.Is.
var (
	// ErrSealKey means that a key of a Seal is malformed.
	ErrSealKey = errors.New("a key must be 32 bytes in base64")

	// ErrSealed means that a secret is sealed with a key that the Seal lacks, or was modified.
	ErrSealed = errors.New("SECRET_KEYS lacks the key that encrypted a secret, or the secret was changed")
)

// Seal holds the keys that seal signing secrets before they are stored, so a copy of the database is
// not enough to sign. The first key seals secrets; each key opens the secrets that it has sealed. A
// nil Seal stores secrets unsealed, and opens only unsealed secrets. Make it with NewSeal.
type Seal struct {
	first string // name of the sealing key
	keys  map[string]cipher.AEAD
}

// NewSeal returns a Seal with keys in base64. It skips blank texts, and returns nil if no key is
// left. For a malformed key it returns ErrSealKey.
func NewSeal(keys []string) (*Seal, error) {
	s := &Seal{keys: map[string]cipher.AEAD{}}
	for i, text := range keys {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(key) != SealKeySize {
			return nil, fmt.Errorf("%w: see key %d", ErrSealKey, i+1)
		}
		name, aead, err := sealKey(key)
		if err != nil {
			return nil, err
		}
		s.keys[name], s.first = aead, cmp.Or(s.first, name)
	}
	if s.first == "" {
		return nil, nil
	}
	return s, nil
}

func sealKey(key []byte) (name string, aead cipher.AEAD, err error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", nil, err
	}
	aead, err = cipher.NewGCM(block)
	sum := sha256.Sum256(append([]byte("name of a key\x00"), key...))
	return hex.EncodeToString(sum[:4]), aead, err
}

// prefix returns the prefix of secrets sealed with the first key of the Seal; "" for a nil Seal.
func (s *Seal) prefix() string {
	if s == nil {
		return ""
	}
	return sealMark + s.first + ":"
}

// seal returns the stored form of a secret. The argument `of` identifies the owner of the secret;
// open needs the same owner.
func (s *Seal) seal(secret, of string) string {
	if s == nil {
		return secret
	}
	aead := s.keys[s.first]
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	return s.prefix() + base64.StdEncoding.EncodeToString(aead.Seal(nonce, nonce, []byte(secret), []byte(of)))
}

// open returns the secret of a stored form, sealed or not. If no key of the Seal opens it, open
// returns ErrSealed.
func (s *Seal) open(stored, of string) (string, error) {
	rest, sealed := strings.CutPrefix(stored, sealMark)
	if !sealed {
		return stored, nil
	}
	name, text, _ := strings.Cut(rest, ":")
	if s == nil || s.keys[name] == nil {
		return "", fmt.Errorf("%w: key %.8s", ErrSealed, name)
	}
	aead := s.keys[name]
	body, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(body) < aead.NonceSize() {
		return "", ErrSealed
	}
	secret, err := aead.Open(nil, body[:aead.NonceSize()], body[aead.NonceSize():], []byte(of))
	if err != nil {
		return "", ErrSealed
	}
	return string(secret), nil
}

// ofWebhook and ofCallbacks return the name of the owner of a secret.
func ofWebhook(id string) string       { return "webhook\x00" + id }
func ofCallbacks(tenant string) string { return "callbacks\x00" + tenant }
