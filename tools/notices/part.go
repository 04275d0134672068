package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// part is third-party code in the programs.
type part struct {
	name, version string
	texts         []string // licences and notices
	licences      []string // SPDX names, sorted
}

// legal matches the names of files with a licence or a legal notice.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|third-party-notices)([.-][a-z]+)?$`)

// addFolders adds the texts in `folder` and in its parent folders, up to the root of the module.
func (p *part) addFolders(folder, module string) error {
	for dir := folder; strings.HasPrefix(dir, module); dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !legal.MatchString(e.Name()) || e.IsDir() || filepath.Ext(e.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			p.add(string(text))
		}
	}
	return nil
}

func (p *part) add(text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) + "\n"
	if !slices.Contains(p.texts, text) {
		p.texts = append(p.texts, text)
	}
}

// classify detects the licences in the texts. It returns an error if no text contains a known licence.
func (p *part) classify() error {
	for _, text := range p.texts {
		for _, m := range licensecheck.Scan([]byte(text)).Match {
			if !m.IsURL && !slices.Contains(p.licences, m.ID) {
				p.licences = append(p.licences, m.ID)
			}
		}
	}
	slices.Sort(p.licences)
	if len(p.licences) == 0 {
		return fmt.Errorf("%s %s: no licence was found in its %d texts", p.name, p.version, len(p.texts))
	}
	return nil
}
