package issuer

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// pendingSignIn is a sign-in whose browser was redirected, and whose code has not been exchanged yet.
type pendingSignIn struct {
	claims              map[string]any
	challenge, redirect string
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	at := i.Issuer()
	answer(w, http.StatusOK, map[string]any{
		"issuer": at, "authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token", "jwks_uri": at + "/keys",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"scopes_supported":                      []string{"openid", "profile", "email", "groups"},
		"id_token_signing_alg_values_supported": []string{"RS256"},
	})
}

// authorize signs in the next user, and redirects the browser back to the client.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("client_id") != i.ClientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" {
		http.Error(w, "not a request of the client", http.StatusBadRequest)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.people) == 0 {
		http.Error(w, "nobody signs in", http.StatusInternalServerError)
		return
	}
	now, code := i.Now(), rand.Text()
	claims := map[string]any{
		"iss": i.Issuer(), "aud": []string{i.ClientID}, "iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
		"nonce": q.Get("nonce"),
	}
	maps.Copy(claims, i.people[0])
	i.people = i.people[1:]
	i.codes[code] = pendingSignIn{claims, q.Get("code_challenge"), q.Get("redirect_uri")}
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// token exchanges a code for a token. Each code is valid once.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	i.mu.Lock()
	g, ok := i.codes[r.PostFormValue("code")]
	delete(i.codes, r.PostFormValue("code"))
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case id != i.ClientID || secret != i.ClientSecret:
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
	case !ok || g.redirect != r.PostFormValue("redirect_uri") || g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]):
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
	default:
		answer(w, http.StatusOK, map[string]any{
			"access_token": rand.Text(), "token_type": "bearer", "expires_in": 600, "id_token": i.Sign(nil, g.claims),
		})
	}
}
