package importers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

type guessed struct {
	SKU   string          `row:"SKU" alias:"code" key:"true" validate:"required"`
	Name  string          `row:"Name" validate:"required"`
	Price decimal.Decimal `row:"Price" validate:"required,gt=0"`
	Stock int             `row:"Stock"`
	Start time.Time       `row:"Start"`
	Color string          `row:"Color" validate:"omitempty,oneof=red blue"`
}

func TestGuessColumns_NamesSpellingAndValues_AreReasons(t *testing.T) {
	t.Parallel()
	kind := kindOf[guessed]()
	for _, tt := range []struct{ name, file, want string }{
		{"by name, alias and spelling", "Code,Nmae,Price\nA,a,1\n", "Code=SKU/name Nmae=Name/similar Price=Price/name"},
		{"by a word", "Sku no,Product name,Unit price,Brnd\nA,a,1,Acme\n", "Sku no=SKU/similar Product name=Name/similar Unit price=Price/similar Brnd=/"},
		{
			"by values", "Code,Name,VK netto,Menge,gilt,Farbe\nA,a,\"332,81\",421,2025-02-02,red\nB,b,\"27,53\",90,2025-01-14,blue\n",
			"Code=SKU/name Name=Name/name VK netto=Price/content Menge=Stock/content gilt=Start/content Farbe=Color/content",
		},
		{"required columns first", "Artikel,Bezeichnung,Preis\nG-1,Stuhl,10\nG-2,Tisch,20\n", "Artikel=/ Bezeichnung=/ Preis=Price/content"},
		{"not by values that two columns have", "Code,Name,x,y\nA,a,12.5,13.5\nB,b,2.5,3.5\n", "Code=SKU/name Name=Name/name x=/ y=/"},
		{"nor by text", "Code,foo\nA,a\n", "Code=SKU/name foo=/"},
		{
			"one wrong value of many does not matter", "Code,Name,gilt\n" + strings.Repeat("A,a,2025-02-02\n", 9) + "B,b,soon\n",
			"Code=SKU/name Name=Name/name gilt=Start/content",
		},
	} {
		g, err := importers.GuessColumns(strings.NewReader(tt.file), int64(len(tt.file)), kind, importers.Options{Name: "a.csv"})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, c := range g.Columns {
			got = append(got, fmt.Sprintf("%s=%s/%s", c.Heading, c.Field, c.Reason))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, text, tt.want)
		}
	}
}

func kindOf[T any]() jobs.Kind {
	return jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[T]) error { return nil }))
}
