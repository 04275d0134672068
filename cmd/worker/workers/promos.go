package workers

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// PromoParams holds the parameters of an export of promotions.
type PromoParams struct {
	Brand    string `row:"Brand" validate:"omitempty,oneof=Acme Globex Initech Stark Umbrella" example:"Acme" none:"All brands"`
	Discount *int64 `row:"Discount" validate:"omitempty,gte=1,lte=90" example:"15" title:"Discount, %" hint:"From 1 to 90. If empty, 10."`
}

// Promo is one row of a price list for a promotion.
type Promo struct {
	SKU       string          `row:"SKU"`
	Name      string          `row:"Name"`
	Brand     string          `row:"Brand"`
	Price     decimal.Decimal `row:"Price"`
	Discount  int64           `row:"Discount"`
	SalePrice decimal.Decimal `row:"Sale price"`
	Stock     *int64          `row:"Stock"`
	Starts    time.Time       `row:"Starts" format:"2006-01-02"`
	Ends      time.Time       `row:"Ends" format:"2006-01-02"`
	Headline  string          `row:"Headline"`
}

// promoRange is the range of SKUs in one part of the export, with both ends included.
type promoRange struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

const (
	promoPart = 20_000 // most products of a part
	promoPage = 5_000  // most products of one read
	promoDays = 14     // duration of a promotion
)

var (
	//go:embed sql/promo_parts.sql
	promoPartsSQL string
	//go:embed sql/promo_rows.sql
	promoRowsSQL string
)

// ExportPromos returns the sample kind promos.export: the catalogue of a tenant as the price list
// of a promotion.
func ExportPromos(db *ledger.DB) worker.Definer {
	return worker.DefineExport("promos.export",
		func(ctx context.Context, p worker.Plan[PromoParams]) ([]worker.Part, error) {
			return promoParts(ctx, db, p)
		},
		func(ctx context.Context, part worker.PartJob[PromoParams], w worker.RowWriter[Promo]) error {
			return writePromos(ctx, db, part, w)
		},
		append(slices.Clip(promoTexts), worker.MaxRetries(5),
			worker.RetryIn(func(n int) time.Duration { return time.Second << n }),
			worker.Title("Promotion price list"), worker.Help("The products of the catalogue with their sale prices."))...,
	)
}

func promoParts(ctx context.Context, db *ledger.DB, p worker.Plan[PromoParams]) ([]worker.Part, error) {
	ranges, err := promoRanges(ctx, db, p, promoPart)
	parts := make([]worker.Part, len(ranges))
	for i, r := range ranges {
		parts[i] = worker.Part{Name: r.First + " to " + r.Last, Args: r}
	}
	return parts, err
}

// promoRanges divides the tenant's products into ranges of `size` products. The last range may have
// fewer. If the parameters name a brand, the ranges count only its products.
func promoRanges(
	ctx context.Context, db *ledger.DB, p worker.Plan[PromoParams], size int,
) (ranges []promoRange, err error) {
	args := ledger.Args{"tenant": p.Tenant, "brand": p.Params.Brand, "size": size}
	err = db.View(ctx, func(tx ledger.Tx) error {
		ranges = nil
		return tx.Query(ctx, promoPartsSQL, args, func(scan ledger.Scan) error {
			var first, last *string
			err := scan(&first, &last)
			if first != nil && last != nil {
				ranges = append(ranges, promoRange{First: *first, Last: *last})
			}
			return err
		})
	})
	return ranges, err
}

// writePromos writes a part page by page. It continues after the last page that an earlier run has
// saved.
func writePromos(
	ctx context.Context, db *ledger.DB, part worker.PartJob[PromoParams], w worker.RowWriter[Promo],
) error {
	var r promoRange
	if err := part.Args(&r); err != nil {
		return err
	}
	var after string
	if _, err := w.Resume(&after); err != nil {
		return err
	}
	page := make([]Promo, 0, promoPage)
	for after != r.Last {
		var err error
		page, err = readPromos(ctx, db, part, page, ledger.Args{"first": r.First, "last": r.Last, "after": after})
		if err != nil || len(page) == 0 {
			return err
		}
		for _, row := range page {
			if err := w.Write(row); err != nil {
				return err
			}
		}
		after = page[len(page)-1].SKU
		if err := w.Save(ctx, after); err != nil {
			return err
		}
	}
	return nil
}

// readPromos returns the next page of products, in the memory of the argument `page`.
func readPromos(
	ctx context.Context, db *ledger.DB, part worker.PartJob[PromoParams], page []Promo, args ledger.Args,
) ([]Promo, error) {
	args["tenant"], args["brand"], args["most"] = part.Tenant, part.Params.Brand, promoPage
	discount := int64(10)
	if part.Params.Discount != nil {
		discount = *part.Params.Discount
	}
	var price, start string
	err := db.View(ctx, func(tx ledger.Tx) error {
		page = page[:0]
		return tx.Query(ctx, promoRowsSQL, args, func(scan ledger.Scan) error {
			page = append(page, Promo{Discount: discount})
			p := &page[len(page)-1]
			err := scan(&p.SKU, &p.Name, &p.Brand, &price, &p.Stock, &start)
			p.on(price, start)
			return err
		})
	})
	return page, err
}

// on sets the prices, days and headline of the promotion, from the price and the start day of the
// product.
func (p *Promo) on(price, start string) {
	p.Price, _ = decimal.NewFromString(price) // the catalogue holds numbers
	off := decimal.New(p.Discount, -2)
	p.SalePrice = p.Price.Mul(decimal.NewFromInt(1).Sub(off)).Round(2)
	if day, err := time.Parse(time.DateOnly, start); err == nil {
		p.Starts, p.Ends = day, day.AddDate(0, 0, promoDays)
	}
	p.Headline = p.Brand + ": " + p.Name
}
