package web

import "net/http"

// Paths lists all that the server answers, as "METHOD path".
func (s *Server) Paths() []string {
	var out []string
	for _, r := range s.gin.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Scopes is what each path asks for.
func Scopes() map[string]string {
	out := map[string]string{}
	for path, scope := range scopes {
		out[path] = string(scope)
	}
	return out
}

// Contract is the document that is served.
func Contract() ([]byte, error) {
	c, err := readContract()
	if err != nil {
		return nil, err
	}
	return c.json, nil
}

// Codes are all that a problem can have.
func Codes() []string {
	var out []string
	for _, c := range codes {
		out = append(out, c.Code)
	}
	return out
}

// ContractText is the document as it is written.
func ContractText() []byte { return contractText }

// Target names what a request with an Idempotency-Key asks for.
func Target(r *http.Request, path string) string { return target(r, path) }
