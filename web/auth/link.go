package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	errLinkExpired = problem.New(http.StatusGone, "LINK_EXPIRED",
		"This link has expired. Ask its sender for a new one.")
	errLinkInvalid = problem.New(http.StatusForbidden, "LINK_INVALID",
		"This link is incomplete or was changed. Copy it again in full.")

	// ErrLinkEnded is the problem that the maker of a link was revoked, has expired or is unknown.
	ErrLinkEnded = problem.New(http.StatusForbidden, "LINK_ENDED",
		"This link no longer works: its creator was revoked, or the key of its creator has expired.")
)

// Link is a permission to read one file for a limited time, without another credential.
type Link struct {
	File, Tenant string
	Maker        string // key or user that made the link; its revocation ends the link. "": none
	Until        int64  // unix seconds
}

// Links is a creator and validator of links.
type Links struct {
	Secret *Secret
	Access *access.Store // nil: links stay valid after their makers are revoked
	Tenant string        // tenant in which the owner works
	Now    func() time.Time
}

// HasLink reports whether the parameters of a URL contain the signature of a link.
func HasLink(query url.Values) bool { return query.Get("signature") != "" }

// Query returns the URL parameters of a link.
func (l *Links) Query(ctx context.Context, k Link) (url.Values, error) {
	seal, err := l.seal(ctx, k)
	query := url.Values{"expires": {strconv.FormatInt(k.Until, 10)}, "account": {k.Tenant}, "signature": {seal}}
	if k.Maker != "" {
		query.Set("by", k.Maker)
	}
	return query, err
}

// Check returns the link that the URL parameters of a file describe, or an error if the link is invalid
// or has expired.
func (l *Links) Check(ctx context.Context, file string, query url.Values) (Link, error) {
	until, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	if err != nil {
		return Link{}, errLinkInvalid
	}
	k := Link{File: file, Tenant: query.Get("account"), Maker: query.Get("by"), Until: until}
	seal, err := l.seal(ctx, k)
	if err != nil {
		return Link{}, err
	}
	if !hmac.Equal([]byte(seal), []byte(query.Get("signature"))) {
		return Link{}, errLinkInvalid
	}
	if l.Now().Unix() >= until {
		return Link{}, errLinkExpired
	}
	return k, l.checkMaker(ctx, k)
}

// checkMaker returns ErrLinkEnded if the maker of a link was revoked, has expired or is unknown.
func (l *Links) checkMaker(ctx context.Context, k Link) error {
	if k.Maker == "" || l.Access == nil {
		return nil
	}
	err := l.Access.CheckValid(ctx, k.Tenant, k.Maker)
	if errors.Is(err, access.ErrNotFound) && k.Tenant == l.Tenant { // the owner's keys have no tenant
		err = l.Access.CheckValid(ctx, "", k.Maker)
	}
	for _, ended := range []error{access.ErrRevoked, access.ErrExpired, access.ErrNotFound} {
		if errors.Is(err, ended) {
			return ErrLinkEnded
		}
	}
	return err
}

// seal returns the signature of a link. Links without a maker are signed as in earlier versions, so
// that the links of those versions remain valid until they expire.
func (l *Links) seal(ctx context.Context, k Link) (string, error) {
	key, err := l.Secret.Get(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	if k.Maker == "" {
		fmt.Fprintf(mac, "file link\x00%s\x00%s\x00%d", k.File, k.Tenant, k.Until)
	} else {
		fmt.Fprintf(mac, "file link of\x00%s\x00%s\x00%s\x00%d", k.Maker, k.File, k.Tenant, k.Until)
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}
