package view

import (
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/uploads"
)

// Upload is a file that is uploaded in parts and has no task yet.
type Upload struct {
	ID        string  `json:"id" schema:"format=uuid" doc:"For upload_id of POST /api/v1/tasks."`
	Name      string  `json:"name" doc:"Name of the file."`
	Size      int64   `json:"size" doc:"Size in bytes." schema:"minimum=0"`
	Offset    int64   `json:"offset" doc:"Number of stored bytes." schema:"minimum=0"`
	ExpiresAt *string `json:"expires_at" schema:"time"`
	Links     Links   `json:"links" schema:"ref=Links"`
}

// OfUpload returns the view of an upload.
func OfUpload(u *uploads.Upload) Upload {
	return Upload{
		ID: u.ID, Name: u.Name, Size: u.Size, Offset: u.Received, ExpiresAt: textutil.Instant(u.ExpiresAt),
		Links: Links{"self": "/api/v1/uploads/" + u.ID},
	}
}

// Mapping is a stored mapping from headings of a file to columns of a kind.
type Mapping struct {
	ID       string            `json:"id" schema:"format=uuid"`
	Kind     string            `json:"kind"`
	Name     string            `json:"name" doc:"Given by a user; may be empty."`
	Headings []string          `json:"headings"`
	Mapping  map[string]string `json:"mapping" doc:"Column for each heading, for options.mapping." schema:"ref=Texts"`
	MadeBy   string            `json:"made_by"`
	UsedAt   *string           `json:"used_at" schema:"time"`
}

// OfMapping returns the view of a mapping.
func OfMapping(m *mappings.Mapping) Mapping {
	return Mapping{m.ID, m.Kind, m.Name, NonNil(m.Headings), m.Fields, m.MadeBy, textutil.Instant(m.UsedAt)}
}
