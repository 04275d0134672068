package auth

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Local is the name of a caller without a credential, in the audit log and in created_by.
const Local = "local"

// CodeScopeMissing is the code of the problem that a credential lacks a scope.
const CodeScopeMissing = "SCOPE_MISSING"

type callerKey struct{}

// WithCaller returns a context that carries the rights of the caller.
func WithCaller(ctx context.Context, g access.Grant) context.Context {
	return context.WithValue(ctx, callerKey{}, g)
}

// Caller returns the rights that WithCaller has stored in the context. If there are none, the returned
// rights allow nothing.
func Caller(ctx context.Context) access.Grant {
	g, _ := ctx.Value(callerKey{}).(access.Grant)
	return g
}

// Tenant returns the tenant of the caller.
func Tenant(ctx context.Context) string { return Caller(ctx).Tenant }

// Actor returns the caller's name for the audit log and for created_by. The name is the id of an API key
// or the name of a user. For a caller without a credential, it returns Local.
func Actor(ctx context.Context) string { return cmp.Or(Caller(ctx).Actor(), Local) }

// Kind returns the registered kind with a name, or otherwise an empty kind. Any column of an unregistered
// kind may be sensitive. Therefore Kind sets Hidden of an empty kind, which masks all values, unless the
// caller has the scope access.RowsReview.
func Kind(ctx context.Context, kinds *jobs.Registry, name string) jobs.Kind {
	kind, ok := kinds.Kind(name)
	kind.Hidden = !ok && !Caller(ctx).May(access.RowsReview)
	return kind
}

// MissingScope returns the problem that the caller's role lacks a scope.
func MissingScope(g access.Grant, scope access.Scope) *problem.Problem {
	p := problem.New(http.StatusForbidden, CodeScopeMissing, fmt.Sprintf(
		"This request needs the scope %s, which the role %s does not have.", scope, g.Role))
	p.Args = map[string]string{"scope": string(scope), "role": string(g.Role)}
	return p
}
