package testenv

import "sync"

// sharedRedis and sharedPostgres are shared by the tests of one process. The first use starts
// them; the keeper ends them with the process.
var sharedRedis, sharedPostgres shared

// The result of filling the template database.
var (
	filled  sync.Once
	fillErr error
)

type shared struct {
	mu     sync.Mutex
	server *Server
}

// get returns the server, and starts it at the first call.
func (s *shared) get(t T, start func(T) *Server) *Server {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		s.server = start(t)
	}
	return s.server
}

// peek returns the server, or nil before the first get.
func (s *shared) peek() *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}
