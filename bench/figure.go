package main

import "slices"

// figure is the result of one measurement in several runs.
type figure struct {
	Name     string  `json:"name"`
	Unit     string  `json:"unit"`
	Ours     float64 `json:"ours"` // the median of Rollcall
	Peer     float64 `json:"peer"` // the median or the best run of the peer; 0 without a peer
	PeerName string  `json:"peer_name"`
	Ratio    float64 `json:"ratio"` // factor by which Rollcall is better; 0 without a peer
	Min      float64 `json:"min"`
	Median   float64 `json:"median"`
	Max      float64 `json:"max"`
	Runs     int     `json:"runs"`
}

// figureOf returns the figure of the values of all runs.
func figureOf(name, unit string, values []float64) figure {
	v := slices.Sorted(slices.Values(values))
	mid := v[len(v)/2]
	return figure{
		Name: name, Unit: unit, Ours: mid, Min: v[0], Median: mid, Max: v[len(v)-1], Runs: len(v),
	}
}

// above adds the peer's figure. A higher value is better.
func (f figure) above(name string, peer float64) figure {
	f.PeerName, f.Peer, f.Ratio = name, peer, quotient(f.Ours, peer)
	return f
}

// below adds the peer's figure. A lower value is better.
func (f figure) below(name string, peer float64) figure {
	f.PeerName, f.Peer, f.Ratio = name, peer, quotient(peer, f.Ours)
	return f
}

// quotient returns a/b. It returns 0 if b is 0, because JSON has no infinity.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// median returns the middle value of all runs, or the upper one of two middle values.
func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
