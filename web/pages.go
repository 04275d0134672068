package web

// pages adds the pages that people see.
func (s *Server) pages() {}
