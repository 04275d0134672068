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

// getStats serves GET /stats, in the shape of Lowkiq's.
func (s *Server) getStats(c *gin.Context) error {
	var length, morgue int64
	var lag float64
	by := gin.H{}
	for _, name := range s.opt.Kinds.Names() {
		st, err := s.opt.Queue.Stats(c, name)
		if err != nil {
			return err
		}
		by[name] = gin.H{"length": st.Length, "morgue_length": st.MorgueLength, "lag": st.Lag.Seconds()}
		length, morgue, lag = length+st.Length, morgue+st.MorgueLength, max(lag, st.Lag.Seconds())
	}
	total := gin.H{"length": length, "morgue_length": morgue, "lag": lag}
	c.JSON(http.StatusOK, gin.H{"total": total, "by_worker": by})
	return nil
}
