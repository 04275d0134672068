package samples

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// outcome is the expected result of a row.
type outcome uint8

const (
	good outcome = iota
	repeated
	invalid
	failing
	faulty
)

// product is one row. If priceText or startText is set, the file has this text instead of `cents` or
// `start`.
type product struct {
	sku, name           string
	cents               int
	priceText           string
	stock               int // -1 without a stock
	brand               string
	start               time.Time
	startText, noteText string
}

// price returns the price with two decimals, such as "12.50", or priceText if it is set.
func (p product) price() string {
	if p.priceText != "" {
		return p.priceText
	}
	sign, cents := "", p.cents
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// plan is a generator of the rows of a file. It also counts the expected results of the rows.
type plan struct {
	opt      Options
	outcomes []outcome
	rnd      *rand.Rand
	hot      int // number of repeated SKUs
	counts   Counts
}

func newPlan(opt Options) *plan {
	p := &plan{opt: opt, rnd: rand.New(rand.NewPCG(opt.Seed, 7))}
	p.outcomes = make([]outcome, opt.Rows)
	at := 0
	parts := []int{
		repeated: opt.Repeats, invalid: opt.Invalid, failing: opt.Failing, faulty: opt.Errors,
	}
	for k, n := range parts {
		for range n {
			p.outcomes[at] = outcome(k)
			at++
		}
	}
	p.rnd.Shuffle(opt.Rows, func(i, j int) { p.outcomes[i], p.outcomes[j] = p.outcomes[j], p.outcomes[i] })
	p.hot = min(10, max(1, opt.Repeats/2))
	p.counts = Counts{Rows: opt.Rows, Codes: map[string]int{}, Last: map[string]Last{}}
	return p
}

var (
	brands = []string{"Acme", "Globex", "Initech", "Stark", "Umbrella"}
	things = []string{"anvil", "rocket", "stapler", "lamp", "chaïr", "\"deluxe\" box", "pen, blue"}
	codes  = []string{"REQUIRED", "INVALID_NUMBER", "INVALID_DATE", "TOO_LONG", "PRICE_NOT_POSITIVE"}
)

// row returns data row i, from 0, and adds its expected result to the counts. The caller must request each
// row once, in order.
func (p *plan) row(i int) product {
	r := p.plain(i)
	switch p.outcomes[i] {
	case good:
		p.counts.DistinctSKU++
	case repeated:
		r.sku = p.hotSKU(p.counts.Good)
		p.recordLast(i, r)
	case invalid:
		p.makeInvalid(&r, p.counts.Invalid)
		p.counts.Invalid++
		return r
	case failing:
		if p.opt.Repeats > 0 && p.counts.Failing%2 == 1 {
			r.sku = p.hotSKU(p.counts.Failing)
		}
		r.brand = "Unheard Of"
		p.counts.Failing++
		p.counts.Codes["BRAND_UNKNOWN"]++
		return r
	case faulty:
		r.noteText = "!error"
		p.counts.Errors++
		return r
	}
	p.counts.Good++
	return r
}

// plain returns a good row with a unique SKU.
func (p *plan) plain(i int) product {
	r := product{
		sku:   fmt.Sprintf("SKU-%07d", i+1),
		brand: brands[p.rnd.IntN(len(brands))],
		cents: 1 + p.rnd.IntN(100_000),
		stock: p.rnd.IntN(500) - 1,
	}
	r.name = fmt.Sprintf("%s %s %d", r.brand, things[p.rnd.IntN(len(things))], i+1)
	if p.rnd.IntN(3) > 0 {
		r.start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, p.rnd.IntN(1000))
	}
	if p.rnd.IntN(4) == 0 {
		r.noteText = "first line\nsecond line"
	}
	return r
}

func (p *plan) hotSKU(n int) string { return fmt.Sprintf("HOT-%02d", n%p.hot+1) }

// recordLast records r as the last good row of its SKU so far.
func (p *plan) recordLast(i int, r product) {
	last, seen := p.counts.Last[r.sku]
	if !seen {
		p.counts.DistinctSKU++
	}
	p.counts.Last[r.sku] = Last{Row: i + 2, Name: r.name, Price: r.price(), Writes: last.Writes + 1}
}

// makeInvalid makes the row invalid. The argument `n`, the number of invalid rows so far, selects the
// fault.
func (p *plan) makeInvalid(r *product, n int) {
	code := codes[n%len(codes)]
	p.counts.Codes[code]++
	again := n / len(codes) % 2 // selects one of two variants for most codes
	switch code {
	case "REQUIRED":
		if again == 0 {
			r.name = ""
		} else {
			r.sku = ""
		}
	case "INVALID_NUMBER":
		r.priceText = []string{"twelve", "12.5.1"}[again]
	case "INVALID_DATE":
		r.startText = []string{"2026-02-31", "soon"}[again]
	case "TOO_LONG":
		r.sku += "-" + strings.Repeat("X", 60)
	case "PRICE_NOT_POSITIVE":
		r.cents = []int{0, -300}[again]
	}
}
