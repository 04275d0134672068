// Command walk imports a file, repairs a row and reads the result, with a client generated from
// openapi.json. Its arguments are the address of a service, the file, and two OpenAPI documents. The
// first document comes from the service, the second from the repository. The command panics if a step
// fails.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/tools/oapi-codegen/rollcall"
)

func main() {
	address, file, served, written := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	if pathsOf(served) != pathsOf(written) {
		panic("two readers of YAML understand openapi.yaml differently: is a key in two of what one << joins?")
	}
	c := must(rollcall.NewClientWithResponses(address))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	done := finished(ctx, c, upload(ctx, c, file))
	check(done.Counts.Finish == 180 && done.Counts.Failed == 20, "counts %+v", done.Counts)
	repair(ctx, c, done.Id.String())
	format, only := rollcall.GetResultParamsFormatCsv, rollcall.GetResultParamsOnlyFailed
	result := must(c.GetResultWithResponse(ctx, done.Id.String(), &rollcall.GetResultParams{Format: &format, Only: &only}))
	check(strings.Count(string(result.Body), "\n") > 10, "result %s", result.Body)
	gone := must(c.GetTaskWithResponse(ctx, uuid.Nil.String(), nil))
	check(gone.ApplicationproblemJSON404 != nil && gone.ApplicationproblemJSON404.Code == "NOT_FOUND", "%s", gone.Body)
	fmt.Println("walked")
}

// upload starts an import.
func upload(ctx context.Context, c *rollcall.ClientWithResponses, path string) string {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	check(form.WriteField("kind", "products.import") == nil, "write the form")
	part := must(form.CreateFormFile("file", filepath.Base(path)))
	must(part.Write(must(os.ReadFile(path))))
	check(form.Close() == nil, "write the form")
	made := must(c.CreateTaskWithBodyWithResponse(ctx, nil, form.FormDataContentType(), &body))
	check(made.StatusCode() == http.StatusAccepted, "%d %s", made.StatusCode(), made.Body)
	return made.JSON202.Id.String()
}

// finished polls a task until it is done.
func finished(ctx context.Context, c *rollcall.ClientWithResponses, id string) *rollcall.Task {
	wait := 5
	for {
		poll := must(c.GetTaskWithResponse(ctx, id, &rollcall.GetTaskParams{Wait: &wait}))
		check(poll.JSON200 != nil, "%d %s", poll.StatusCode(), poll.Body)
		if poll.JSON200.Done {
			return poll.JSON200
		}
	}
}

// repair corrects the first row with an unknown brand, and waits until its task is done again.
func repair(ctx context.Context, c *rollcall.ClientWithResponses, task string) {
	code := "BRAND_UNKNOWN"
	bad := must(c.ListErrorsWithResponse(ctx, task, &rollcall.ListErrorsParams{Code: &code}))
	check(bad.JSON200 != nil && len(bad.JSON200.Items) > 0, "%d %s", bad.StatusCode(), bad.Body)
	row := bad.JSON200.Items[0].EventId
	seen := must(c.GetEventWithResponse(ctx, row, nil))
	var acme rollcall.RowEdit
	check(json.Unmarshal([]byte(`{"Brand":"Acme"}`), &acme) == nil, "a row")
	patch := rollcall.EventPatch{Params: &acme}
	patched := must(c.PatchEventWithResponse(ctx, row,
		&rollcall.PatchEventParams{IfMatch: seen.HTTPResponse.Header.Get("ETag")}, patch))
	check(patched.StatusCode() == http.StatusOK, "%d %s", patched.StatusCode(), patched.Body)
	done := finished(ctx, c, task)
	check(done.Counts.Finish == 180 || done.Counts.Finish == 181, "after the repair: %+v", done.Counts)
}

// pathsOf returns the operations in an OpenAPI document as JSON.
func pathsOf(file string) string {
	doc := must(openapi3.NewLoader().LoadFromFile(file))
	return string(must(json.Marshal(doc.Paths)))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}
