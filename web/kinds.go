package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/worker"
)

type kindView struct {
	Name       string       `json:"name"`
	Columns    []columnView `json:"columns"`
	MaxRetries int          `json:"max_retries"`
	Shards     int          `json:"shards"`
}

type columnView struct {
	Name     string   `json:"name"`
	Aliases  []string `json:"aliases"`
	Type     string   `json:"type"`
	Key      bool     `json:"key"`
	Required bool     `json:"required"`
	Example  *string  `json:"example"`
	Hint     *string  `json:"hint"`
}

func viewKind(k worker.Kind) kindView {
	v := kindView{Name: k.Name, Columns: []columnView{}, MaxRetries: k.MaxRetries, Shards: k.Shards}
	if k.Schema == nil {
		return v
	}
	for _, f := range k.Schema.Fields {
		v.Columns = append(v.Columns, columnView{
			f.Name, append([]string{}, f.Aliases...), f.Type, f.Key, f.Required,
			optional(f.Example), optional(f.Hint),
		})
	}
	return v
}

// listKinds serves GET /kinds.
func (s *Server) listKinds(c *gin.Context) error {
	items := []kindView{}
	for _, k := range s.opt.Kinds.Kinds() {
		items = append(items, viewKind(k))
	}
	c.JSON(http.StatusOK, gin.H{"items": items, "next_cursor": nil})
	return nil
}

// getKind serves GET /kinds/{kind}.
func (s *Server) getKind(c *gin.Context) error {
	k, ok := s.opt.Kinds.Kind(c.Param("kind"))
	if !ok {
		return errNotFound
	}
	c.JSON(http.StatusOK, viewKind(k))
	return nil
}
