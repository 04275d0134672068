// Package uploads stores files that are uploaded in parts and have no task yet.
//
// Stored bytes survive a crash of the process, which loses at most the part in flight. A broken
// connection loses fewer than MinPart bytes. Of two requests for the same position, only one can
// write. After the time Options.Keep, an upload is deleted, with its bytes unless a task has them.
// Start assigns the file to a task in the transaction that adds the task. A deletion claims the
// upload before it deletes the bytes, so that it cannot conflict with Start.
//
// The package does not parse the files, and it does not depend on HTTP.
package uploads
