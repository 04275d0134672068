package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/rollcall-dev/rollcall/client"
)

// This example imports a file, and prints the outcome of its rows by cause.
func ExampleClient_Upload() {
	ctx := context.Background()
	rollcall, err := client.New("http://127.0.0.1:8080", client.Options{Key: os.Getenv("ROLLCALL_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.Open("testdata/products.xlsx")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	task, err := rollcall.Upload(ctx, client.Upload{
		Kind: "products.import", FileName: "products.xlsx", File: file,
	})
	var refused *client.Problem
	if errors.As(err, &refused) {
		log.Fatal(refused.Code, " ", refused.Detail) // the file is at fault
	}
	if err != nil {
		log.Fatal(err)
	}
	if task, err = rollcall.Wait(ctx, task.ID, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(task.Counts.Finish, "finished")
	for _, cause := range task.ErrorGroups {
		fmt.Println(cause.Count, "rows:", cause.Title)
	}
}

// This example corrects the rows that failed for one cause at once, and resubmits them.
func ExampleClient_Resubmit() {
	ctx := context.Background()
	rollcall, err := client.New("http://127.0.0.1:8080", client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := rollcall.Resubmit(ctx, "0193c1f0-0000-7000-8000-000000000000", client.BulkAction{
		Filter:  client.Filter{Code: "BRAND_UNKNOWN"},
		Replace: &client.Replace{Column: "Brand", Find: "Acmee", With: "Acme", Whole: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Resubmitted, "rows run again,", out.StillInvalid, "are wrong still")
}
