package platform

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestItemName: different identifiers have different names, which archive.org accepts, also with a long host.
func TestItemName(t *testing.T) {
	long := strings.Repeat("x", 70)
	ids := []string{
		"数据集一", "数据集二", "школы", "парки", "", "-", "/", "a", "a.b", "a_b", "a-b", "a/b", "a:b", "a b", "a-b-", "--a-b",
		"https://doi.org/10.1/x", "https://doi.org/10.1-x", "1" + long, "2" + long, long, strings.Repeat("é", 70),
		strings.Repeat("x", 60), strings.Repeat("x", 61), "\xff", "\xfe",
	}
	accepted, by := regexp.MustCompile(`^[0-9A-Za-z._-]{1,60}$`), map[string]string{}
	for _, id := range ids {
		name := itemName(id)
		if before, is := by[name]; is || !accepted.MatchString(name) {
			t.Errorf("%q and %q have the name %q", id, before, name)
		}
		by[name] = id
	}
	for _, id := range []string{"a", "a.b", "a_b", "a-b", strings.Repeat("x", 60)} {
		if name := itemName(id); name != id {
			t.Errorf("%q has the name %q", id, name)
		}
	}
}

func TestReleaseName(t *testing.T) {
	by := map[string]string{}
	for _, r := range [][2]string{
		{"foo/bar-baz", "v1"},
		{"foo-bar/baz", "v1"},
		{"foo/bar", "baz-v1"},
		{"foo/bar", "v1"},
		{"foo/bar", "v/1"},
		{"foo/bar", "v:1"},
		{"foo/bar", "版本"},
		{"foo/bar", "発行"},
		{"foo/bar_baz", "v1"},
	} {
		name := releaseName(r[0], r[1])
		if before, is := by[name]; is {
			t.Errorf("%q and %s have the name %q", r, before, name)
		}
		by[name] = fmt.Sprintf("%q", r)
	}
	if _, is := by["foo-bar-v1"]; !is {
		t.Errorf("a plain name was changed: %v", by)
	}
}

func TestPathNames(t *testing.T) {
	for _, tt := range []struct{ names, want []string }{
		{[]string{"a", "b", "a", "a"}, []string{"a", "b", "2/a", "3/a"}},
		{[]string{"", "", ""}, []string{"2", "3", "4"}},
		{[]string{"2", "", "x/2", "2"}, []string{"2", "3", "x/2", "2/2"}},
		{[]string{"a", "2/a", "a", "x/a", "x/a"}, []string{"a", "2/a", "3/a", "x/a", "4/a"}},
		{[]string{"..", "..", "."}, []string{"..", "2", "."}},
	} {
		p := newPathNames()
		var got []string
		for _, name := range tt.names {
			got = append(got, p.unique(name))
		}
		if strings.Join(got, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%q: %q, want %q", tt.names, got, tt.want)
		}
	}
}

// TestPathNames_linear: the work for many files of one name grows with their number and not with its square.
func TestPathNames_linear(t *testing.T) {
	for _, names := range [][]string{{"a"}, {""}, {"a", "b"}, {"a", "x/a", "y/a"}} {
		allocations := testing.AllocsPerRun(1, func() {
			p, seen := newPathNames(), map[string]bool{}
			for i := range maxFiles {
				seen[p.unique(names[i%len(names)])] = true
			}
			if len(seen) != maxFiles {
				t.Errorf("%q: %d paths of %d files", names, len(seen), maxFiles)
			}
		})
		if allocations > 10*maxFiles {
			t.Errorf("%q: %.0f allocations for %d files", names, allocations, maxFiles)
		}
	}
}
