package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/client"
)

// kind is the kind of the sample imports.
const kind = "products.import"

// subscribe adds a schedule and a webhook. The host of the webhook does not exist, so its
// deliveries fail and are retried.
func (s *shop) subscribe(ctx context.Context) error {
	err := s.post(ctx, "/webhooks", `{"url":"https://`+s.tenant.Name+`.invalid/rollcall","topics":["task.finished"]}`)
	if err != nil {
		return err
	}
	return s.post(ctx, "/schedules", `{"name":"Catalogue of the day","cron":"0 6 * * *","time_zone":"UTC",
		"request":{"kind":"promos.export","type":"export","format":"csv"}}`)
}

// importBad imports rows. Some rows fail, and one has a system fault.
func (s *shop) importBad(ctx context.Context) error {
	_, err := s.importDone(ctx, "Spring prices.csv", s.fileOf(120, func(n int) (price, brand, note string) {
		switch {
		case n%40 == 5:
			return "twelve", "Acme", ""
		case n%20 == 7:
			return "9.90", "Acme Ltd", ""
		case n == 60:
			return "9.90", "Stark", "!error"
		case n%30 == 9:
			return "9.90", "Umbrella", "!flaky"
		}
		return fmt.Sprintf("%d.50", n+s.seed), "Globex", ""
	}))
	return err
}

// importRepaired imports rows, some with an unknown brand. It corrects the brand, resubmits these rows,
// and waits until the task is done.
func (s *shop) importRepaired(ctx context.Context) error {
	task, err := s.importDone(ctx, "New arrivals.csv", s.fileOf(40, func(n int) (price, brand, note string) {
		if n%4 == 0 {
			return "25.00", "Acme Ltd", ""
		}
		return "25.00", "Initech", ""
	}))
	if err != nil {
		return err
	}
	brand := "Acme"
	_, err = s.RepairAll(ctx, task.ID, client.BulkAction{
		Filter: client.Filter{Code: "BRAND_UNKNOWN"}, Set: client.Cells{"Brand": &brand}, Note: "the name without Ltd",
	})
	if err != nil {
		return err
	}
	_, err = s.Resubmit(ctx, task.ID, client.BulkAction{All: true})
	if err == nil {
		_, err = s.Wait(ctx, task.ID, nil)
	}
	return err
}

// export starts an export of the catalogue.
func (s *shop) export(ctx context.Context) error {
	return s.post(ctx, "/tasks", `{"kind":"promos.export","type":"export","name":"Catalogue","format":"xlsx"}`)
}

// importSlow starts an import of rows that take two seconds each. The rows have three keys, so at
// most three rows run at a time.
func (s *shop) importSlow(ctx context.Context) error {
	var b strings.Builder
	b.WriteString(headings)
	for n := range 450 {
		fmt.Fprintf(&b, "S%d-%d,Shelf %d,3.00,Acme,!slow\n", s.seed, n%3, n)
	}
	_, err := s.Upload(ctx, client.Upload{Kind: kind, FileName: "Stock count.csv", File: strings.NewReader(b.String())})
	return err
}

const headings = "SKU,Name,Price,Brand,Note\n"

// fileOf returns a CSV file of n rows with different keys. The function `cell` returns the other values
// of row n, counted from 0.
func (s *shop) fileOf(n int, cell func(n int) (price, brand, note string)) string {
	var b strings.Builder
	b.WriteString(headings)
	for i := range n {
		price, brand, note := cell(i)
		fmt.Fprintf(&b, "%s-%d%04d,Product %d,%s,%s,%s\n", strings.ToUpper(s.tenant.Name[:1]), n, i, i, price, brand, note)
	}
	return b.String()
}

// importDone imports a file and waits until its task is done.
func (s *shop) importDone(ctx context.Context, name, text string) (*client.Task, error) {
	task, err := s.Upload(ctx, client.Upload{Kind: kind, FileName: name, File: strings.NewReader(text)})
	if err != nil {
		return nil, err
	}
	return s.Wait(ctx, task.ID, nil)
}
