package housetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxDecision is the greatest number of lines of a decision's file.
const maxDecision = 60

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	notInURL = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	dated    = regexp.MustCompile(`^(20\d\d-\d\d-\d\d)-[a-z0-9-]+\.md$`)
)

// pages returns the text of each page of documentation, by its path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "clients/*/*.md"} {
		names, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list[strings.TrimPrefix(name, "../../")] = fenced.ReplaceAllString(string(text), "")
		}
	}
	return list
}

// anchorsOf returns the anchors of the headings of a page, as forges create them.
func anchorsOf(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		plain := notInURL.ReplaceAllString(strings.ToLower(m[1]), "")
		anchors[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return anchors
}

// brokenLinks returns the links of a page that lead to no file or heading.
func brokenLinks(name string, list map[string]string) (broken []string) {
	for _, m := range link.FindAllStringSubmatch(list[name], -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		path, anchor, _ := strings.Cut(m[1], "#")
		target := name
		if path != "" {
			target = filepath.Join(filepath.Dir(name), path)
		}
		if _, err := os.Stat(filepath.Join("../..", target)); err != nil && list[target] == "" {
			broken = append(broken, m[1])
		} else if anchor != "" && !anchorsOf(list[target])[anchor] {
			broken = append(broken, m[1])
		}
	}
	return broken
}

func TestDocs_Links_LeadToFilesAndHeadings(t *testing.T) {
	t.Parallel()
	list := pages(t)
	for name := range list {
		for _, target := range brokenLinks(name, list) {
			t.Errorf("%s: the link %s leads nowhere", name, target)
		}
	}
}

func TestDocs_BrokenLinks_AreFound(t *testing.T) {
	t.Parallel()
	list := map[string]string{
		"docs/a.md": "[1](b.md) [2](b.md#some-heads) [3](c.md) [4](b.md#none) [5](#a-page) [6](https://example.com/x)\n# A page\n",
		"docs/b.md": "## Some `heads`\n",
	}
	if got := fmt.Sprint(brokenLinks("docs/a.md", list)); got != "[c.md b.md#none]" {
		t.Errorf("broken links: %s", got)
	}
}

func TestDocs_EachPage_IsReachedFromTheIndex(t *testing.T) {
	t.Parallel()
	list := pages(t)
	reached := map[string]bool{}
	for name, text := range list {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			path, _, _ := strings.Cut(m[1], "#")
			reached[filepath.Join(filepath.Dir(name), path)] = true
		}
	}
	for name := range list {
		if strings.HasPrefix(name, "docs/") && !reached[name] && !reached[filepath.Dir(name)] {
			t.Errorf("%s: no page links to it", name)
		}
	}
}

func TestReadme_IsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if n := strings.Count(string(text), "\n"); err != nil || n > 120 {
		t.Errorf("README.md has %d lines, more than 120 (%v)", n, err)
	}
}

func TestChangelog_EachVersion_IsDatedAndSupported(t *testing.T) {
	t.Parallel()
	list := pages(t)
	versions := regexp.MustCompile(`(?m)^## \[(\d+\.\d+)\.\d+\] - 20\d\d-\d\d-\d\d$`).FindAllStringSubmatch(list["CHANGELOG.md"], -1)
	if headings := strings.Count(list["CHANGELOG.md"], "\n## ["); len(versions) == 0 || headings != len(versions)+1 {
		t.Fatalf("CHANGELOG.md has %d sections, of which %d are dated; [Unreleased] is the only other one", headings, len(versions))
	}
	if newest := versions[0][1]; !strings.Contains(list["SECURITY.md"], "\n| "+newest+" | yes") {
		t.Errorf("SECURITY.md does not support %s", newest)
	}
}

func TestDecisions_EachFile_IsDatedShortAndListed(t *testing.T) {
	t.Parallel()
	list := pages(t)
	for name, text := range list {
		base := filepath.Base(name)
		if filepath.Dir(name) != "docs/decisions" || base == "README.md" {
			continue
		}
		date := dated.FindStringSubmatch(base)
		switch {
		case date == nil:
			t.Errorf("%s: the name is no date and topic", name)
		case !strings.HasPrefix(text, "# ") || !strings.Contains(text, "\nDecided on "+date[1]+".\n"):
			t.Errorf("%s: it begins with its topic, then \"Decided on %s.\"", name, date[1])
		case strings.Count(text, "\n") > maxDecision:
			t.Errorf("%s has more than %d lines", name, maxDecision)
		case !strings.Contains(list["docs/decisions/README.md"], "]("+base+") | "+date[1]+" |"):
			t.Errorf("%s is not in the index", name)
		}
	}
}
