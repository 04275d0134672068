package blobs

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Address is where a bucket is.
type Address struct {
	Bucket string
	Prefix string // of the names of files, with a slash behind; empty: none
	Region string // empty: it is asked for

	host   string // of the service
	secure bool
}

// defaultEndpoint is where buckets are unless it is said.
const defaultEndpoint = "https://s3.amazonaws.com"

// ParseAddress reads s3://bucket/prefix. ?endpoint= is the service, as an http
// or https URL, that of AWS unless it is given; ?region= its region.
func ParseAddress(text string) (a Address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Port() != "" {
		return a, errors.New("it is not s3://bucket/prefix")
	}
	a.Bucket, a.Prefix = u.Host, strings.Trim(u.Path, "/")
	if a.Prefix != "" {
		a.Prefix += "/"
	}
	endpoint := defaultEndpoint
	for name, values := range u.Query() {
		switch name {
		case "endpoint":
			endpoint = values[0]
		case "region":
			a.Region = values[0]
		default:
			return a, fmt.Errorf("%q is neither endpoint nor region", name)
		}
	}
	e, err := url.Parse(endpoint)
	if err != nil || e.Host == "" || e.User != nil || strings.Trim(e.Path, "/") != "" ||
		e.Scheme != "http" && e.Scheme != "https" {
		return a, errors.New("endpoint is not an http or https URL of a service")
	}
	a.host, a.secure = e.Host, e.Scheme == "https"
	return a, nil
}
