// Package rowacts runs an act on rows of many tasks as a task of its own. The act therefore goes on
// without a client, and users see its progress. The task has one row for each task that the act concerns,
// and is of the kind Name.
//
// The act is stored with all its rows before the request is answered, or not at all. It leaves out rows
// that came to rest after the request. A job of the act that runs again resubmits no row twice.
// Callers cannot create tasks of the kind themselves, change its rows, or see its params.
//
// Packages review and reconcile decide about the rows that an act changes.
package rowacts
