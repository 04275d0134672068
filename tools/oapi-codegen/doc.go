// Package oapicodegen pins the version of a common generator of Go clients, and the dependencies of
// generated clients. The test TestContract_GeneratedGoClient_WalksTheMainStory generates a client from
// web/openapi.yaml and runs testdata/walk.go with it. The programs of Rollcall do not use this module.
package oapicodegen

import (
	_ "github.com/getkin/kin-openapi/openapi3" // testdata/walk.go reads the document with it
	_ "github.com/oapi-codegen/runtime"        // generated clients import it
)
