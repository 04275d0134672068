package web

import (
	"crypto/sha256"
	_ "embed" // the contract
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/goccy/go-yaml"

	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// contractPath is the path at which the service serves the contract as JSON.
const contractPath = "/openapi.json"

//go:generate go test . -run TestSchemas_OfAnswers_AreThoseOfTheTypes -update

// contractText is the source of the API's contract, openapi.yaml.
//
//go:embed openapi.yaml
var contractText []byte

// contract holds the served forms of the API's contract: the JSON, and the data of the page.
type contract struct {
	json []byte
	tag  string // ETag of json
	page docsPage
}

// theContract returns the contract. All servers of a process share it, so it is parsed once.
var theContract = sync.OnceValues(readContract)

// readContract parses openapi.yaml. It removes the member x-shared, which holds only YAML anchors, and adds
// the error codes and the examples.
func readContract() (*contract, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(contractText, &doc); err != nil {
		return nil, fmt.Errorf("web: openapi.yaml: %w", err)
	}
	delete(doc, "x-shared")
	doc["x-codes"] = problem.Codes
	if err := addExamples(doc); err != nil {
		return nil, err
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("web: openapi.yaml: %w", err)
	}
	sum := sha256.Sum256(text)
	page, err := readDocs(text)
	return &contract{text, `"` + hex.EncodeToString(sum[:8]) + `"`, page}, err
}

// getContract serves GET /openapi.json.
func (*Server) getContract(c *gin.Context) error {
	doc, err := theContract()
	if err != nil {
		return err
	}
	c.Header("ETag", doc.tag)
	c.Header("Cache-Control", "no-cache")
	if input.IfNoneMatch(c.Request.Header, doc.tag) {
		c.Status(http.StatusNotModified)
		return nil
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", base.Document(doc.json, base.Of(c.Request.Context())))
	return nil
}
