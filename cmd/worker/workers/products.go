package workers

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/worker"
)

// Product is one row of a price list.
type Product struct {
	SKU   string          `row:"SKU" alias:"code,article,артикул,货号,mã" key:"true" validate:"required,max=64" example:"AC-1001"`
	Name  string          `row:"Name" alias:"название,名称,tên" validate:"required" example:"Anvil, 50 kg"`
	Price decimal.Decimal `row:"Price" alias:"цена,价格,giá" validate:"required,gt=0" code:"PRICE_NOT_POSITIVE" example:"12.50" hint:"Enter the price without tax, such as 12.50"`
	Stock *int64          `row:"Stock" alias:"остаток,库存,tồn kho" validate:"omitempty,gte=0" example:"40"`
	Brand string          `row:"Brand" alias:"бренд,品牌,thương hiệu" example:"Acme"`
	Start time.Time       `row:"Start" format:"2006-01-02" example:"2026-03-31"`
	Note  string          `row:"Note"`
}

// brands lists the brands that the business sells.
var brands = []string{"Acme", "Globex", "Initech", "Stark", "Umbrella"}

// ImportProduct returns the sample kind products.import. Its handler writes each row with a known brand
// to the table `catalogue`, exactly once. For demonstrations, the column Note of a row can cause a fault
// or a delay: !error, !flaky, !later, !panic, !slow.
func ImportProduct() worker.Definer {
	return worker.DefineTx("products.import",
		func(ctx context.Context, tx worker.Tx, job *worker.Job[Product]) error {
			if err := trouble(ctx, job); err != nil {
				return err
			}
			if !slices.Contains(brands, job.Args.Brand) {
				return unknown(job.Args.Brand)
			}
			return save(ctx, tx, job)
		},
		append(slices.Clip(productTexts), worker.MaxRetries(3),
			worker.RetryIn(func(n int) time.Duration { return time.Second << n }),
			worker.Title("Products"), worker.Help("Each row adds a product to the catalogue, or updates the product with its SKU."),
			worker.Known("Brand", brands...))...,
	)
}

func unknown(brand string) error {
	known := strings.Join(brands, ", ")
	return worker.Fail("BRAND_UNKNOWN", "Brand %q does not exist", brand).
		Column("Brand").Value(brand).Hint("Known brands: "+known).
		With("brand", brand).With("brands", known)
}

// trouble causes the fault or the delay that the cell Note requests, if any.
func trouble(ctx context.Context, job *worker.Job[Product]) error {
	switch strings.TrimSpace(job.Args.Note) {
	case "!error":
		return errors.New("requested by the note !error")
	case "!flaky":
		if job.Attempt == 1 {
			return errors.New("requested by the note !flaky: the first attempt fails")
		}
	case "!later":
		return worker.RetryAfter(time.Hour, errors.New("requested by the note !later"))
	case "!panic":
		panic("requested by the note !panic")
	case "!slow":
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(2 * time.Second):
		}
	}
	return nil
}

//go:embed sql/upsert.sql
var upsertSQL string

// save inserts or updates the product, and counts its writes.
func save(ctx context.Context, tx worker.Tx, job *worker.Job[Product]) error {
	p := job.Args
	var start *string
	if !p.Start.IsZero() {
		text := p.Start.Format(time.DateOnly)
		start = &text
	}
	_, err := tx.Exec(ctx, upsertSQL, worker.Args{
		"tenant": job.Tenant, "sku": p.SKU, "name": p.Name, "price": p.Price.String(),
		"stock": p.Stock, "brand": p.Brand, "start_on": start, "job_id": job.ID,
	})
	return err
}
