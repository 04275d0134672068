package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// figure is one thing measured in several runs.
type figure struct {
	Name     string  `json:"name"`
	Unit     string  `json:"unit"`
	Ours     float64 `json:"ours"` // the median
	Peer     float64 `json:"peer"`
	PeerName string  `json:"peer_name"`
	Ratio    float64 `json:"ratio"` // ours better by that factor; 0 without a peer
	Min      float64 `json:"min"`
	Median   float64 `json:"median"`
	Max      float64 `json:"max"`
	Runs     int     `json:"runs"`
}

// figureOf sums up the values of all runs.
func figureOf(name, unit string, values []float64) figure {
	v := slices.Sorted(slices.Values(values))
	mid := v[len(v)/2]
	return figure{
		Name: name, Unit: unit, Ours: mid, Min: v[0], Median: mid, Max: v[len(v)-1], Runs: len(v),
	}
}

type printer struct {
	json   bool
	headed bool
}

func (p *printer) print(figures []figure) {
	for _, f := range figures {
		if p.json {
			_ = json.NewEncoder(os.Stdout).Encode(f) // numbers and texts always encode
			continue
		}
		if !p.headed {
			fmt.Printf("%-44s %10s %10s %10s  %-8s %s\n", "bench", "min", "median", "max", "unit", "runs")
			p.headed = true
		}
		fmt.Printf("%-44s %10.3f %10.3f %10.3f  %-8s %d\n", f.Name, f.Min, f.Median, f.Max, f.Unit, f.Runs)
	}
}
