package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Permissions that files of the service must not have. A shared folder of files belongs to a
// group where several users run the service, such as with fsGroup of Kubernetes.
const (
	othersAndGroup fs.FileMode = 0o077
	others         fs.FileMode = 0o007
)

// widest is how many files the doctor names.
const widest = 3

// modes reports files and folders that other users of the machine can read: the data folder with
// the database, and the folder of files. It does not read uploads in folders below.
func (d *checkup) modes(dir string) {
	if runtime.GOOS == "windows" { // its files have no Unix modes
		return
	}
	found := wide(dir, others)
	if d.cfg.Embedded() {
		found = append(wide(d.cfg.DataDir, othersAndGroup), wide(dir, othersAndGroup)...)
	}
	if len(found) == 0 {
		d.finds("file modes", stateOK, "", "no other user of this machine reads the data")
		return
	}
	named := strings.Join(found[:min(len(found), widest)], ", ")
	if more := len(found) - widest; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	d.finds("file modes", stateWarn, "chmod 700 of folders, 600 of files: other users read webhook secrets and uploads there",
		"%s", named)
}

// wide returns the names and modes of a folder and of its files, where they grant a permission of not.
func wide(dir string, not fs.FileMode) (found []string) {
	look := func(name string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().Perm()&not != 0 { // a file deleted meanwhile does not count
			found = append(found, fmt.Sprintf("%s has mode %04o", name, info.Mode().Perm()))
		}
	}
	info, err := os.Stat(dir)
	look(dir, info, err)
	list, _ := os.ReadDir(dir) // the check files reports an unreadable folder
	for _, one := range list {
		if one.Type().IsRegular() {
			info, err := one.Info()
			look(filepath.Join(dir, one.Name()), info, err)
		}
	}
	return found
}
