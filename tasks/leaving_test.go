package tasks_test

import (
	"context"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/tasks"
)

// endsAfterClaim returns a context that ends when a claim is committed and its task is about
// to be read.
func (d *desk) endsAfterClaim() context.Context {
	d.Helper()
	ctx, end := context.WithCancel(d.Context())
	d.Cleanup(end)
	d.fine(d.db.Write.Callback().Query().Before("gorm:query").Register("end", func(*gorm.DB) { end() }))
	return ctx
}

func TestPicker_ProcessEndsAsItClaims_AnotherGoesOnAtOnce(t *testing.T) {
	on(t, func(d *desk) {
		d.file("acme", "k", "file", 0)
		_, _, err := d.tasks.Picker(tasks.Reading, []string{"k"}, 4).Next(d.endsAfterClaim(), time.Minute)
		if err == nil {
			d.Fatal("the claim was not broken off")
		}
		if name := d.next(d.tasks.Picker(tasks.Reading, []string{"k"}, 4)); name != "file" {
			d.Errorf("another process claims %q, want the file", name)
		}
	})
}

func TestClaimCancel_ProcessEnds_AnotherGoesOnAtOnce(t *testing.T) {
	on(t, func(d *desk) {
		task := d.file("acme", "k", "file", 0)
		ctx, end := context.WithCancel(d.Context())
		mine, err := d.tasks.ClaimCancel(ctx, task.Num, time.Minute)
		d.fine(err)
		end()
		_, err = d.tasks.ClaimCancel(ctx, task.Num, 0)
		d.fine(err)
		again, err := d.tasks.ClaimCancel(d.Context(), task.Num, time.Minute)
		d.fine(err)
		if !mine || !again {
			d.Errorf("claimed %t, after it was given back %t, want both", mine, again)
		}
	})
}

func TestPutOff_ProcessEnds_AnotherGoesOnAtOnce(t *testing.T) {
	on(t, func(d *desk) {
		task := d.export("export")
		ctx, end := context.WithCancel(d.Context())
		_, claim, err := d.tasks.Picker(tasks.Planning, []string{"k"}, 4).Next(ctx, time.Minute)
		d.fine(err)
		end()
		d.fine(d.tasks.PutOff(ctx, task.Num, claim, 0, ""))
		d.now.Add(1)
		if name := d.next(d.tasks.Picker(tasks.Planning, []string{"k"}, 4)); name != "export" {
			d.Errorf("another process claims %q, want the export", name)
		}
	})
}
