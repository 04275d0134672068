// Package uploads stores files that are uploaded in parts and have no task yet.
//
// It promises that stored bytes survive the death of a process, and that a broken connection loses at
// most the part in flight. Of two requests for one position, only one can write. An upload is deleted
// Keep after its creation, with its bytes unless a task has them. The transaction that adds a task
// takes the file (Start), and deletion claims the upload first.
//
// It does not read the files, and it does not depend on HTTP.
package uploads
