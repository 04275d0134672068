package auth

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Local is the caller without a credential, in audits.
const Local = "local"

// CodeScopeMissing is the code of a request whose credential lacks a scope.
const CodeScopeMissing = "SCOPE_MISSING"

type callerKey struct{}

// WithCaller returns a context that carries the rights of the caller of a request.
func WithCaller(ctx context.Context, g access.Grant) context.Context {
	return context.WithValue(ctx, callerKey{}, g)
}

// Caller returns the rights that WithCaller has stored. Without any, the caller may see nothing.
func Caller(ctx context.Context) access.Grant {
	g, _ := ctx.Value(callerKey{}).(access.Grant)
	return g
}

// Tenant returns the tenant of the caller.
func Tenant(ctx context.Context) string { return Caller(ctx).Tenant }

// Actor returns the caller for audits and created_by: the id of an API key, the name of a user,
// or Local without a credential.
func Actor(ctx context.Context) string { return cmp.Or(Caller(ctx).Actor(), Local) }

// MissingScope returns the problem of a caller that lacks a scope.
func MissingScope(g access.Grant, scope access.Scope) *problem.Problem {
	p := problem.New(http.StatusForbidden, CodeScopeMissing, fmt.Sprintf(
		"This request needs the scope %s, which the role %s does not have.", scope, g.Role))
	p.Args = map[string]string{"scope": string(scope), "role": string(g.Role)}
	return p
}
