// Command streamer writes the same rows as the sample export, in one process with one query and
// encoding/csv. It prints the duration in seconds. It is the peer of the bench export.
package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"
)

func main() {
	var opt struct {
		Database string `required:"" help:"Postgres that holds the catalogue."`
		Out      string `required:"" help:"File to write."`
	}
	kong.Parse(&opt)
	begun := time.Now()
	if err := run(context.Background(), opt.Database, opt.Out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(time.Since(begun).Seconds())
}

const query = `SELECT sku, name, brand, cast(price AS text), stock, coalesce(start_on, '')
FROM catalogue WHERE tenant = 'default' ORDER BY sku`

var headings = []string{
	"SKU", "Name", "Brand", "Price", "Discount", "Sale price", "Stock", "Starts", "Ends", "Headline",
}

func run(ctx context.Context, database, path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	buf := bufio.NewWriterSize(f, 256<<10)
	out := csv.NewWriter(buf)
	if err := out.Write(headings); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		record, err := read(rows)
		if err == nil {
			err = out.Write(record)
		}
		if err != nil {
			return err
		}
	}
	out.Flush()
	return errors.Join(rows.Err(), out.Error(), buf.Flush())
}

// read returns a row of the query as a row of the file.
func read(rows pgx.Rows) ([]string, error) {
	var sku, name, brand, price, start string
	var stock *int64
	if err := rows.Scan(&sku, &name, &brand, &price, &stock, &start); err != nil {
		return nil, err
	}
	full, err := decimal.NewFromString(price)
	if err != nil {
		return nil, err
	}
	sale := full.Mul(decimal.NewFromInt(1).Sub(decimal.New(10, -2))).Round(2)
	day, err := time.Parse(time.DateOnly, start)
	if err != nil {
		return nil, err
	}
	left := ""
	if stock != nil {
		left = strconv.FormatInt(*stock, 10)
	}
	return []string{
		sku, name, brand, full.String(), "10", sale.String(), left, day.Format(time.DateOnly),
		day.AddDate(0, 0, 14).Format(time.DateOnly), brand + ": " + name,
	}, nil
}
