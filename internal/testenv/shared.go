package testenv

import "sync"

// The servers that the tests of one process share. They are started at their
// first use; the keeper ends them with the process.
var sharedRedis, sharedPostgres shared

// What became of the database that others are made like.
var (
	filled  sync.Once
	fillErr error
)

type shared struct {
	mu     sync.Mutex
	server *Server
}

// get starts the server if no earlier call did.
func (s *shared) get(t T, start func(T) *Server) *Server {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		s.server = start(t)
	}
	return s.server
}

// peek returns the server, or nil if nobody has asked for it yet.
func (s *shared) peek() *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}
