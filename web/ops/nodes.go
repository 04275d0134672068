package ops

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsNodesPage holds the data of the page of nodes: the processes that run jobs, with the shards that
// they own.
type opsNodesPage struct {
	opsFrame
	Nodes []opsNode
	Map   []opsShardMap
}

// opsNode is a process that runs jobs.
type opsNode struct {
	view.Node
	Owned []opsOwned
	Runs  []opsRun // some jobs of the user's tenant that the node runs
	seen  int      // running jobs that were found on the node
}

// Others returns how many jobs were found on the node, besides the job that the page shows.
func (n opsNode) Others() int { return max(n.seen-1, 0) }

// opsOwned holds the shards of one queue that a node owns.
type opsOwned struct {
	Queue  string
	Shards string
}

// opsShardMap holds the shards of a queue with the nodes that own them.
type opsShardMap struct {
	Queue  string
	Shards []view.Shard
}

// opsNodeList returns the nodes with the shards that they own.
func (p *Handlers) opsNodeList(c *gin.Context) (out []opsNode, err error) {
	nodes, err := p.Manage.NodeList(c.Request.Context())
	for _, n := range nodes {
		out = append(out, opsNode{Node: n, Owned: ownedBy(n)})
	}
	return out, err
}

// opsNodes serves GET /ops/nodes.
func (p *Handlers) opsNodes(c *gin.Context) (err error) {
	v := opsNodesPage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.nodes"), "/ops/nodes")}
	v.Refresh = true
	if v.Nodes, err = p.opsNodeList(c); err != nil {
		return err
	}
	names, err := p.Manage.QueueNames(c.Request.Context())
	if err != nil {
		return err
	}
	for _, name := range names {
		st, err := p.Manage.QueueStats(c.Request.Context(), name)
		if err != nil {
			return err
		}
		row := opsQueueRow{Queue: view.OfQueue(st)}
		if err := p.addRunning(c, &row, v.Nodes); err != nil {
			return err
		}
		v.Map = append(v.Map, opsShardMap{st.Name, view.OfShards(st)})
	}
	return p.Render.Page(c, http.StatusOK, "ops_nodes.html", v)
}

func ownedBy(n view.Node) (out []opsOwned) {
	for _, name := range slices.Sorted(maps.Keys(n.Shards)) {
		out = append(out, opsOwned{name, strings.Join(n.Shards[name], ", ")})
	}
	return out
}
