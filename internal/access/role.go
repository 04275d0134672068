package access

import "slices"

// Scope is one right that a credential may have.
type Scope string

// These are the scopes.
const (
	TasksRead  Scope = "tasks:read"  // see tasks, their rows and kinds
	TasksWrite Scope = "tasks:write" // import and control tasks
	RowsReview Scope = "rows:review" // repair, skip and resubmit rows
	FilesRead  Scope = "files:read"  // download uploads and results
	OpsRead    Scope = "ops:read"    // see queues, limits, webhooks
	OpsWrite   Scope = "ops:write"   // change queues, limits, webhooks
	KeysAdmin  Scope = "keys:admin"  // see and change API keys

	ServiceRead  Scope = "service:read"  // see all tenants, queues, nodes and metrics
	ServiceWrite Scope = "service:write" // change tenants, queues and nodes
)

// Role is a set of scopes.
type Role string

// These are the roles. Each role has all scopes of the role before it, and more.
const (
	Viewer   Role = "viewer"   // sees tasks and downloads files
	Reviewer Role = "reviewer" // also imports, and repairs rows
	Operator Role = "operator" // also controls queues, limits and webhooks
	Admin    Role = "admin"    // also manages keys
	Owner    Role = "owner"    // also runs the service for all tenants
)

// Roles lists the roles of a tenant, beginning with the fewest rights. Owner has more rights than all
// of them.
func Roles() []Role { return []Role{Viewer, Reviewer, Operator, Admin} }

// Scopes returns the scopes of a role; none for an unknown role.
func (r Role) Scopes() []Scope {
	var out []Scope
	for i, more := range [][]Scope{
		{TasksRead, FilesRead},
		{TasksWrite, RowsReview},
		{OpsRead, OpsWrite},
		{KeysAdmin},
		{ServiceRead, ServiceWrite},
	} {
		if i <= slices.Index(append(Roles(), Owner), r) {
			out = append(out, more...)
		}
	}
	return out
}

// stored returns the stored form of a role. An API key of the owner is stored as an Admin key without a
// tenant.
func (r Role) stored() Role {
	if r == Owner {
		return Admin
	}
	return r
}

// withTenant returns the role of an API key from its stored role and its tenant. An API key without a tenant
// has the role Owner.
func (r Role) withTenant(tenant string) Role {
	if tenant == "" {
		return Owner
	}
	return r
}

// May reports whether the role includes a scope.
func (r Role) May(s Scope) bool { return slices.Contains(r.Scopes(), s) }
