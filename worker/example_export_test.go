package worker_test

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/worker"
)

// An export plans its parts and writes each. Parts run in parallel; their rows are in the file in the
// order of the plan.
func ExampleDefineExport() {
	type Params struct {
		Brand string `row:"Brand" validate:"required"`
	}
	type Price struct {
		SKU   string          `row:"SKU"`
		Price decimal.Decimal `row:"Price"`
	}
	prices := worker.DefineExport("prices.export",
		func(_ context.Context, p worker.Plan[Params]) ([]worker.Part, error) {
			return []worker.Part{{Name: p.Params.Brand + " A-M", Args: "A"}, {Args: "N"}}, nil
		},
		func(_ context.Context, part worker.PartJob[Params], w worker.RowWriter[Price]) error {
			var first string
			if err := part.Args(&first); err != nil {
				return err
			}
			return w.Write(Price{SKU: first + "-1", Price: decimal.New(1250, -2)})
		})
	worker.NewRegistry(prices)
}
