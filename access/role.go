package access

import "slices"

// Scope is one thing that a credential may do.
type Scope string

// The scopes there are.
const (
	TasksRead  Scope = "tasks:read"  // see tasks, their rows and kinds
	TasksWrite Scope = "tasks:write" // import, control
	RowsReview Scope = "rows:review" // repair, skip and resubmit rows
	FilesRead  Scope = "files:read"  // download uploads and results
	OpsRead    Scope = "ops:read"    // see queues, limits, webhooks
	OpsWrite   Scope = "ops:write"   // change them
	KeysAdmin  Scope = "keys:admin"  // see and change API keys
)

// Role is a set of scopes; each role has those of the one before, and more.
type Role string

// The roles there are.
const (
	Viewer   Role = "viewer"   // sees tasks and downloads files
	Reviewer Role = "reviewer" // also imports, and repairs rows
	Operator Role = "operator" // also runs the service
	Admin    Role = "admin"    // also gives out keys
)

// Roles lists all roles, the least first.
func Roles() []Role { return []Role{Viewer, Reviewer, Operator, Admin} }

// Scopes are what a role may do; nothing if there is no such role.
func (r Role) Scopes() []Scope {
	var out []Scope
	for i, more := range [][]Scope{
		{TasksRead, FilesRead}, {TasksWrite, RowsReview}, {OpsRead, OpsWrite}, {KeysAdmin},
	} {
		if i <= slices.Index(Roles(), r) {
			out = append(out, more...)
		}
	}
	return out
}

// May tells whether the role has a scope.
func (r Role) May(s Scope) bool { return slices.Contains(r.Scopes(), s) }
