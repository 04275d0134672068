package rowschema_test

import (
	"maps"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// shelf is a row whose columns have similar names.
type shelf struct {
	SKU   string `row:"SKU" alias:"article,货号" validate:"required"`
	Price string `row:"Price" alias:"цена" validate:"required"`
	Prize string `row:"Prize"`
	Note  string `row:"Note"`
}

func TestNear(t *testing.T) {
	t.Parallel()
	s := rowschema.Of[shelf]()
	for _, tt := range []struct {
		name     string
		headings []string
		want     map[string]string
	}{
		{"a misspelt name", []string{"SKU", "Prise", "Note"}, map[string]string{"Prise": "Price"}},
		{"a misspelt alias", []string{"artikle", "Price"}, map[string]string{"artikle": "SKU"}},
		{"another script", []string{"SKU", "цены"}, map[string]string{"цены": "Price"}},
		{"what is fed is left alone", []string{"SKU", "Price", "Prize", "Notes"}, map[string]string{"Notes": "Note"}},
		{"a required field comes first", []string{"SKU", "Prixe"}, map[string]string{"Prixe": "Price"}},
		{"each heading once", []string{"SKU", "Pric", "Priz"}, map[string]string{"Pric": "Price", "Priz": "Prize"}},
		{"nor is what is near a fed one", []string{"SKU", "Price", "SKUU"}, nil},
		{"what is far is nothing", []string{"SKU", "Price", "Warehouse", ""}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := s.Near(tt.headings, s.Match(tt.headings, nil))
			if !maps.Equal(got, tt.want) {
				t.Errorf("%q: %v, want %v", tt.headings, got, tt.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, list, want string }{
		{"Price", "prices", "prices"},
		{"Price", "P r i c e", "P r i c e"},
		{"ID", "no", ""},
		{"号", "x", ""},
		{"Quantity", "Quantiy", "Quantiy"},
		{"Stock", "Brand", ""},
	} {
		if got := rowschema.Nearest(tt.name, []string{tt.list}); got != tt.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", tt.name, tt.list, got, tt.want)
		}
	}
}
