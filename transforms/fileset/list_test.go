package fileset_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// statusOfName matches a line of status.go: a constant, and its text in results.
var statusOfName = regexp.MustCompile(`(?m)^\t(Status\w+)\s+= "([\w-]+)"`)

// TestStatus_list: docs/fileset.md lists which test produces which status. All statuses are listed, and the tests
// exist and mention them.
func TestStatus_list(t *testing.T) {
	source, err := os.ReadFile("status.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, m := range statusOfName.FindAllStringSubmatch(string(source), -1) {
		names[m[2]] = m[1]
	}
	if len(names) < 40 {
		t.Fatalf("%d statuses in status.go", len(names))
	}
	files := testsOf(t, "../..", "transforms/fileset", "io/work/lookup", "io/dataset/liveweb", "pipelines/command/fileset")
	reached := map[string]bool{}
	for status, tests := range listed(t) {
		for _, test := range tests {
			text, ok := files[test]
			if !ok {
				t.Errorf("%s: there is no %s", status, test)
			}
			if word := regexp.MustCompile(`["\s]` + status + `["\s]|\b` + names[status] + `\b`); names[status] != "" &&
				word.MatchString(text) {
				reached[status] = true
			}
		}
	}
	for status := range names {
		if !reached[status] {
			t.Errorf("%s: no test that docs/fileset.md lists speaks of it", status)
		}
	}
}

// listed returns the tests by status, as listed in docs/fileset.md.
func listed(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/fileset.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| status | test |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	quoted := regexp.MustCompile("`([\\w-]+)`")
	list := map[string][]string{}
	for line := range strings.Lines(table) {
		columns := strings.Split(line, "|")
		if len(columns) < 3 {
			continue
		}
		var tests []string
		for _, m := range quoted.FindAllStringSubmatch(columns[2], -1) {
			tests = append(tests, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(columns[1], -1) {
			list[m[1]] = tests
		}
	}
	return list
}

// testsOf returns the files of tests by their names, below some folders of root.
func testsOf(t *testing.T, root string, dirs ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range name.FindAllStringSubmatch(string(text), -1) {
				found[m[1]] = string(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
