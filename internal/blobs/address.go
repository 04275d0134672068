package blobs

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Address is the location of files in an S3-compatible service: a bucket, a prefix and an endpoint.
type Address struct {
	Bucket string
	Prefix string // prefix of file names, with a trailing slash; empty if none
	Region string // empty: the service's default

	host   string // of the service
	secure bool
}

// defaultEndpoint is used if an address names no endpoint.
const defaultEndpoint = "https://s3.amazonaws.com"

// ParseAddress parses s3://bucket/prefix. The query parameter endpoint is the http or https URL of the
// service; its default is the URL of AWS. The query parameter region is the region of the bucket.
// Without it, the Region of the result is empty.
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
