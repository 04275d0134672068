package request

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Fields returns the members of V that the query parameter `fields` names, in the order of the
// contract. It returns nil, which means all members, if the parameter is missing.
func Fields[V any](c *gin.Context) ([]string, error) {
	known := view.Members[V]()
	named, err := SomeOf(c, "fields", known...)
	if named == nil {
		return nil, err
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(named, name) }), nil
}

// AnswerObject answers with a view. If `fields` is not nil, the response has only the members in
// `fields`.
func AnswerObject(c *gin.Context, v any, fields []string) (err error) {
	if fields != nil {
		v, err = view.Part(view.Rebase(v, base.Of(c.Request.Context())), fields)
	}
	if err == nil {
		JSON(c, http.StatusOK, v)
	}
	return err
}

// AnswerItems answers with a page of a list of V. If the request has the query parameter `fields`, the
// items have only the members that `fields` names.
func AnswerItems[V any](c *gin.Context, page any) error {
	fields, err := Fields[V](c)
	if fields != nil {
		page, err = view.PartOfItems(view.Rebase(page, base.Of(c.Request.Context())), fields)
	}
	if err == nil {
		JSON(c, http.StatusOK, page)
	}
	return err
}
