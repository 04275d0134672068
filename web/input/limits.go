package input

import "github.com/rollcall-dev/rollcall/internal/conns"

// These are the limits of forms, and the name of the part with the file.
const (
	MaxField  = conns.FieldBytes // bytes of one field
	MaxFields = conns.FormBytes  // bytes of all fields and of the headers of the parts
	FileField = "file"           // the name of the part with the file
)
