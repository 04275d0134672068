package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// othersAndGroup and others are permissions that files of the service must not grant. Only the embedded
// mode excludes permissions of the group. In the other modes, several users may share the folder of files
// through their group, for example with fsGroup of Kubernetes.
const (
	othersAndGroup fs.FileMode = 0o077
	others         fs.FileMode = 0o007
)

// maxNamed is the greatest number of files and folders that the result names.
const maxNamed = 3

// modes warns of files and folders that other users of the machine can access. It checks the folder
// of files and, in embedded mode, the data folder with the database. It does not check subfolders.
func (d *checkup) modes(dir string) {
	if runtime.GOOS == "windows" { // its files have no Unix modes
		return
	}
	found := tooOpen(dir, others)
	if d.cfg.Embedded() {
		found = append(tooOpen(d.cfg.DataDir, othersAndGroup), tooOpen(dir, othersAndGroup)...)
	}
	if len(found) == 0 {
		d.report("file modes", stateOK, "", "other users of this machine cannot read the data")
		return
	}
	named := strings.Join(found[:min(len(found), maxNamed)], ", ")
	if more := len(found) - maxNamed; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	d.report("file modes", stateWarn, "run chmod 700 on folders and chmod 600 on files: other users can read webhook secrets and uploads there",
		"%s", named)
}

// tooOpen checks a folder and the files directly in it. It returns the name and mode of each folder or
// file that grants a permission in `not`.
func tooOpen(dir string, not fs.FileMode) (found []string) {
	check := func(name string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().Perm()&not != 0 { // a file deleted meanwhile does not count
			found = append(found, fmt.Sprintf("%s has mode %04o", name, info.Mode().Perm()))
		}
	}
	info, err := os.Stat(dir)
	check(dir, info, err)
	list, _ := os.ReadDir(dir) // the check files reports an unreadable folder
	for _, one := range list {
		if one.Type().IsRegular() {
			info, err := one.Info()
			check(filepath.Join(dir, one.Name()), info, err)
		}
	}
	return found
}
