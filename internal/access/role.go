package access

import "slices"

// Scope is one right of a credential.
type Scope string

// The scopes.
const (
	TasksRead  Scope = "tasks:read"  // see tasks, their rows and kinds
	TasksWrite Scope = "tasks:write" // import, control
	RowsReview Scope = "rows:review" // repair, skip and resubmit rows
	FilesRead  Scope = "files:read"  // download uploads and results
	OpsRead    Scope = "ops:read"    // see queues, limits, webhooks
	OpsWrite   Scope = "ops:write"   // change them
	KeysAdmin  Scope = "keys:admin"  // see and change API keys

	ServiceRead  Scope = "service:read"  // see all tenants, queues, nodes and metrics
	ServiceWrite Scope = "service:write" // change them
)

// Role is a set of scopes; each role has the scopes of the one before, and more.
type Role string

// The roles.
const (
	Viewer   Role = "viewer"   // sees tasks and downloads files
	Reviewer Role = "reviewer" // also imports, and repairs rows
	Operator Role = "operator" // also runs the service
	Admin    Role = "admin"    // also manages keys
	Owner    Role = "owner"    // also runs the service for all tenants; see Store.CreateOwner
)

// Roles lists the roles of a tenant, the least first. Owner is above them.
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

// stored returns the role as stored in the ledger. A key without a tenant is the owner's, whatever
// its role.
func (r Role) stored() Role {
	if r == Owner {
		return Admin
	}
	return r
}

// of returns the role of a stored key with a tenant.
func (r Role) of(tenant string) Role {
	if tenant == "" {
		return Owner
	}
	return r
}

// May reports whether the role has a scope.
func (r Role) May(s Scope) bool { return slices.Contains(r.Scopes(), s) }
