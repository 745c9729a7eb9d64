package blob

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// isPage is a rule for tests.
func isPage(path string) bool { return strings.HasSuffix(path, ".page") }

// pagesIn lists the members of all groups, and the other files, in the order of infos.
func pagesIn(t testing.TB, s *Store, infos []Info) (list []string) {
	t.Helper()
	for _, i := range infos {
		if i.Group == nil {
			list = append(list, i.Name)
			continue
		}
		n := len(list)
		for path, err := range s.Members(t.Context(), i.Name, *i.Group, isPage) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, path)
		}
		if len(list)-n != i.Group.Files {
			t.Errorf("%s: %d members, want %d: %v", i.Name, len(list)-n, i.Group.Files, list[n:])
		}
	}
	return list
}

var pageTree = []string{
	"crawl/a.example/1.page", "crawl/a.example/2.page", "crawl/a.example/3.page", "crawl/a.example/.hidden.page",
	"crawl/a.example-b/1.page", "crawl/b.example/deep/1.page", "crawl/b.example/deep.page", "crawl/b.example/z.warc",
	"crawl/c.example/1.page", "other.page", "crawl.page",
}

func TestExpandGroups_listsEachFileOnce(t *testing.T) {
	inTree(t, append(pageTree, "linked -> crawl/b.example")...)
	s := New(Options{})
	want := []string{
		"crawl/a.example-b/1.page", "crawl/a.example/1.page", "crawl/a.example/2.page", "crawl/a.example/3.page",
		"crawl/b.example/deep.page", "crawl/b.example/deep/1.page", "crawl/b.example/z.warc", "crawl/c.example/1.page",
	}
	for _, args := range [][]string{
		{"crawl"},
		{"crawl", "crawl/a.example"},
		{"crawl/a.example", "crawl"},
		{"crawl", "crawl/a.example/1.page"},
		{"crawl/*/*.page", "crawl"},
		{"crawl", "linked"},
	} {
		for _, g := range []Grouping{{Bytes: 1 << 20}, {Bytes: 1}, {Bytes: 1 << 20, Files: 2}} {
			g.Member = isPage
			l, err := s.ExpandGroups(t.Context(), args, nil, g)
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			got := pagesIn(t, s, l.Files)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ExpandGroups(%v, %+v) (-want +got):\n%s", args, g, diff)
			}
		}
	}
}

func TestExpandGroups_groups(t *testing.T) {
	inTree(t, pageTree...)
	l, err := New(Options{}).ExpandGroups(t.Context(), []string{"crawl"}, nil,
		Grouping{Member: isPage, Bytes: 1 << 20, Files: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []schemas.Group{
		{First: "a.example/1.page", Last: "a.example/3.page", Files: 3},
		{First: "a.example-b/1.page", Last: "b.example/deep.page", Files: 3},
		{First: "c.example/1.page", Last: "c.example/1.page", Files: 1},
	}
	var got []schemas.Group
	for _, i := range l.Files {
		if i.Group != nil {
			got = append(got, *i.Group)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestExpandGroups_stampsChange(t *testing.T) {
	inTree(t, pageTree...)
	stamp := func() string {
		l, err := New(Options{}).ExpandGroups(t.Context(), []string{"crawl/a.example"}, nil,
			Grouping{Member: isPage, Bytes: 1 << 20})
		if err != nil || len(l.Files) != 1 {
			t.Fatal(l, err)
		}
		return l.Files[0].Stamp
	}
	before := stamp()
	if again := stamp(); again != before {
		t.Errorf("the stamp of the same files is %s and %s", before, again)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes("crawl/a.example/2.page", later, later); err != nil {
		t.Fatal(err)
	}
	touched := stamp()
	if touched == before {
		t.Error("a page was written again, and the stamp is the same")
	}
	if err := os.WriteFile("crawl/a.example/2.page", []byte("another, longer content"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes("crawl/a.example/2.page", later, later); err != nil {
		t.Fatal(err)
	}
	if stamp() == touched {
		t.Error("a page has grown, and the stamp is the same")
	}
}

// TestMembers_manyNames has more names in a folder than are read at a time.
func TestMembers_manyNames(t *testing.T) {
	dir := t.TempDir()
	for i := range 2*listed + 10 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%07d.page", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := New(Options{})
	l, err := s.ExpandGroups(t.Context(), []string{dir}, nil, Grouping{Member: isPage, Bytes: 1, Files: 1000})
	if err != nil || len(l.Files) != 9 {
		t.Fatalf("%d groups, %v", len(l.Files), err)
	}
	list := pagesIn(t, s, l.Files)
	if len(list) != 2*listed+10 || !slices.IsSorted(list) {
		t.Errorf("%d members, sorted %v", len(list), slices.IsSorted(list))
	}
}
