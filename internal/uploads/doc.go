// Package uploads stores files that are uploaded in parts and have no task yet.
//
// The package promises that stored bytes survive a crash of the process, and that a broken connection loses
// at most the part in flight. Of two requests for the same position, only one can write. After the
// time Options.Keep, an upload is deleted, with its bytes unless a task has them. A task takes the
// file in the transaction that adds it (Start). A deletion claims the upload before it deletes the
// bytes, so the two cannot conflict.
//
// The package does not read the files, and it does not depend on HTTP.
package uploads
