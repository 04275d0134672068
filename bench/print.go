package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// printer writes figures to standard output.
type printer struct {
	json     bool
	markdown bool
	headed   bool
}

func (p *printer) print(figures []figure) {
	p.head()
	for _, f := range figures {
		switch {
		case p.json:
			_ = json.NewEncoder(os.Stdout).Encode(f) // numbers and texts always encode
		case p.markdown:
			fmt.Printf("| %s | %s | %s | %s | %s | %d | %s |\n", f.Name, f.Unit,
				number(f.Min), number(f.Median), number(f.Max), f.Runs, f.peer("%s, %s |", "%s×", "|"))
		default:
			fmt.Printf("%-46s %10s %10s %10s  %-8s %4d  %s\n", f.Name,
				number(f.Min), number(f.Median), number(f.Max), f.Unit, f.Runs,
				f.peer("%-34s %10s", "%8s", ""))
		}
	}
}

// head prints the head of the table before the first figure. JSON has no head.
func (p *printer) head() {
	switch {
	case p.headed || p.json:
	case p.markdown:
		fmt.Print("| bench | unit | min | median | max | runs | peer, its median | ours better by |\n",
			"|---|---|---|---|---|---|---|---|\n")
	default:
		fmt.Printf("%-46s %10s %10s %10s  %-8s %4s  %-34s %10s %8s\n",
			"bench", "min", "median", "max", "unit", "runs", "peer", "median", "ratio")
	}
	p.headed = true
}

// peer returns the columns about the peer, or none if there is no peer.
func (f figure) peer(who, ratio, none string) string {
	if f.PeerName == "" {
		return none
	}
	return fmt.Sprintf(who, f.PeerName, number(f.Peer)) + " " + fmt.Sprintf(ratio, number(f.Ratio))
}

// number returns v without decimals from 1,000, with one decimal from 10, else with three decimals.
func number(v float64) string {
	switch {
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3f", v)
}
