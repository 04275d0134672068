package issuer

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
)

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(i.JWKS()) // the client may be gone
}

// JWKS returns the public key as the provider serves it.
func (i *Issuer) JWKS() []byte {
	i.mu.Lock()
	defer i.mu.Unlock()
	public := i.key.PublicKey
	return encode(map[string]any{"keys": []any{map[string]string{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": i.kid,
		"n": base64.RawURLEncoding.EncodeToString(public.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(public.E)).Bytes()),
	}}})
}

// Sign returns a signed token with the given claims. The members in `header` replace the defaults in the
// header of the token.
func (i *Issuer) Sign(header, claims map[string]any) string {
	i.mu.Lock()
	key, kid := i.key, i.kid
	i.mu.Unlock()
	text := head(map[string]any{"alg": "RS256", "typ": "JWT", "kid": kid}, header) + "." + part(encode(claims))
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		i.t.Fatal(err)
	}
	return text + "." + part(signature)
}

// Forge returns a token that is signed with `secret` instead of the key. If `secret` is empty, the
// token has no signature.
func (i *Issuer) Forge(secret []byte, claims map[string]any) string {
	i.mu.Lock()
	kid := i.kid
	i.mu.Unlock()
	if len(secret) == 0 {
		return head(map[string]any{"alg": "none", "typ": "JWT"}, nil) + "." + part(encode(claims)) + "."
	}
	text := head(map[string]any{"alg": "HS256", "typ": "JWT", "kid": kid}, nil) + "." + part(encode(claims))
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(text)) // a hash never fails
	return text + "." + part(mac.Sum(nil))
}

func head(usual, more map[string]any) string {
	for name, value := range more {
		usual[name] = value
	}
	return part(encode(usual))
}

func part(text []byte) string { return base64.RawURLEncoding.EncodeToString(text) }

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // claims are JSON
	}
	return text
}
