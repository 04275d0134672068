package guard

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL is the maximal length of an address, in bytes.
const maxURL = 2048

// These are the faults of a URL. The user who entered the URL sees the text of the fault.
var (
	errURLForm     = errors.New("it must be a full http:// or https:// address of at most 2048 characters")
	errURLUser     = errors.New("it must not hold a user or a password")
	errURLFragment = errors.New("it must not have a fragment (#…)")
	errURLHost     = errors.New("its host is not a name or an address as they are usually written")
	errURLPort     = errors.New("its port must be a number from 1 to 65535")
)

// CheckURL returns an error for a URL that Client must not request, without resolving its name. It
// accepts http and https URLs without user, password and fragment. Unless `allowPrivate` is true, it
// returns ErrNotPublic for an address that is not public, and for a name such as localhost. Client also
// checks the address of each connection.
func CheckURL(text string, allowPrivate bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxURL || u.Opaque != "" || u.Hostname() == "":
		return errURLForm
	case u.Scheme != "http" && u.Scheme != "https":
		return errURLForm
	case u.User != nil:
		return errURLUser
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return errURLFragment
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errURLPort
		}
	}
	return checkHost(u.Hostname(), allowPrivate)
}

func checkHost(host string, allowPrivate bool) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if !allowPrivate && !Public(addr) {
			return ErrNotPublic
		}
		return nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	if !plain(name) || len(name) > 253 || numeric(last) {
		return errURLHost
	}
	if !allowPrivate && (last == "localhost" || last == "internal" || last == "local") {
		return ErrNotPublic
	}
	return nil
}

// plain reports whether a name contains only characters of host names, does not begin with a dot,
// and has no two consecutive dots.
func plain(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_') {
			return false
		}
	}
	return !strings.HasPrefix(name, ".") && !strings.Contains(name, "..")
}

// numeric reports whether some resolvers may read a name with this label as an IPv4 address, such
// as 127.1, 0x7f000001 or 017700000001.
func numeric(label string) bool {
	_, err := strconv.ParseUint(label, 0, 64)
	return err == nil || strings.Trim(label, "0123456789") == "" || strings.HasPrefix(label, "0x")
}
