// Package uploads stores files that arrive in parts and have no task yet.
//
// It promises that bytes that were stored survive the death of a process, that a connection that
// broke off loses at most the part in flight, and that two requests for one position cannot both
// write. An upload is deleted Keep after its creation, with its bytes unless a task has them: the
// transaction that adds a task takes the file (Start), and deletion claims the upload first.
//
// It does not read the files, and it does not depend on HTTP.
package uploads
