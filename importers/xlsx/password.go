package xlsx

import (
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// PasswordProtected returns the problem of an encrypted workbook.
func PasswordProtected() *tabular.Problem {
	return tabular.Problemf(tabular.CodePasswordProtected, "The workbook is protected by a password. "+
		"Remove the password in Excel (File, Info, Protect Workbook), save it and upload it again.")
}
