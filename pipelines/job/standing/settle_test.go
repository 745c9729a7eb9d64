package standing_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// place is a world of names. The command names those below covered, and those in gone no longer exist.
type place struct {
	covered string
	gone    []string
	empty   string // a folder that is empty
	same    bool   // whether changed files have the same bytes
}

func (p place) ID(_ string, r schemas.Range) string { return r.File }

func (p place) Covers(id string) (string, bool) { return p.covered, strings.HasPrefix(id, p.covered) }

func (p place) Gone(id string, _ bool) bool { return slices.Contains(p.gone, id) }

func (p place) EmptyAbove(string) string { return p.empty }

func (p place) Same(schemas.Range, string) (bool, error) { return p.same, nil }

func (p place) Captures(_ ledger.Row, files map[string]bool) (int64, error) {
	return int64(10 * len(files)), nil
}

// row is a unit of whole files, each of 100 bytes.
func row(key string, files ...string) ledger.Row {
	r := ledger.Row{Key: key}
	r.Stamps = map[string]string{}
	for _, f := range files {
		r.Inputs = append(r.Inputs, schemas.Range{File: f, End: 100, Format: "warc"})
		r.Stamps[f] = "1"
	}
	return r
}

func folderOf(finished bool, rows ...ledger.Row) *standing.Folder {
	h := standing.Empty()
	h.Rows, h.Waiting, h.Finished = map[string]ledger.Row{}, map[string]bool{}, finished
	for _, r := range rows {
		h.Rows[r.Key] = r
	}
	return h
}

func TestSettle(t *testing.T) {
	two := func() *standing.Folder { return folderOf(true, row("a", "/in/a"), row("b", "/in/b")) }
	tests := []struct {
		name   string
		folder *standing.Folder
		found  []string
		policy standing.Policy
		world  place
		want   standing.Outcome // of rows only their keys count
		refuse string           // in the error
	}{
		{name: "all found", folder: two(), found: []string{"/in/a", "/in/b"}, world: place{covered: "/in/"}},
		{
			name: "one of two is gone", folder: two(), found: []string{"/in/a"},
			world: place{covered: "/in/", gone: []string{"/in/b"}},
			want:  standing.Outcome{Stay: []ledger.Row{{Key: "b"}}, Gone: 1},
		},
		{
			name: "gone, with --prune", folder: two(), found: []string{"/in/a"}, policy: standing.Policy{Prune: true},
			world: place{covered: "/in/", gone: []string{"/in/b"}},
			want:  standing.Outcome{Pruned: []ledger.Row{{Key: "b"}}},
		},
		{
			name: "not found but there, with --prune", folder: two(), found: []string{"/in/a"},
			policy: standing.Policy{Prune: true}, world: place{covered: "/in/"},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "b"}}, Unnamed: 1},
		},
		{
			name: "an empty folder above, with --prune", folder: two(), found: []string{"/in/a"},
			policy: standing.Policy{Prune: true}, world: place{covered: "/in/", gone: []string{"/in/b"}, empty: "/in"},
			refuse: "is it mounted?",
		},
		{
			name: "all gone, with --prune", folder: two(), policy: standing.Policy{Prune: true},
			world: place{covered: "/in/", gone: []string{"/in/a", "/in/b"}}, refuse: "is it mounted?",
		},
		{
			name: "all gone though others were found, with --prune", folder: two(), found: []string{"/in/c"},
			policy: standing.Policy{Prune: true}, world: place{covered: "/in/", gone: []string{"/in/a", "/in/b"}},
			refuse: "would remove all",
		},
		{
			name: "another folder", folder: two(), found: []string{"/other/a"}, world: place{covered: "/other/"},
			refuse: "2 archives that this command does not name, such as /in/a",
		},
		{
			name: "another folder, with --add", folder: two(), found: []string{"/other/a"},
			policy: standing.Policy{Add: true}, world: place{covered: "/other/"},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "a"}, {Key: "b"}}, Unnamed: 2},
		},
		{
			name: "a neighbour in one unit", folder: folderOf(true, row("a", "/in/a", "/in/b"), row("c", "/in/c")),
			found: []string{"/in/a", "/in/c"}, world: place{covered: "/in/", gone: []string{"/in/b"}},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "a"}}, Gone: 1},
		},
		{
			name: "a neighbour in one unit, with --prune", folder: folderOf(true, row("a", "/in/a", "/in/b"), row("c", "/in/c")),
			found: []string{"/in/a", "/in/c"}, policy: standing.Policy{Prune: true},
			world: place{covered: "/in/", gone: []string{"/in/b"}},
			want:  standing.Outcome{Redone: 1, Removed: 10},
		},
		{
			name:   "units that share files stay together",
			folder: folderOf(true, row("a", "/in/a", "/in/b"), row("b", "/in/b", "/in/c"), row("d", "/in/d")),
			found:  []string{"/in/b", "/in/c", "/in/d"}, world: place{covered: "/in/", gone: []string{"/in/a"}},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "a"}, {Key: "b"}}, Gone: 2},
		},
		{
			name: "a neighbour has changed", folder: folderOf(true, row("a", "/in/changed", "/in/b"), row("c", "/in/c")),
			found: []string{"/in/changed", "/in/c"}, world: place{covered: "/in/", gone: []string{"/in/b"}},
			refuse: "/in/changed has changed, and was read together with /in/b",
		},
		{
			name:   "a neighbour was copied",
			folder: folderOf(true, row("a", "/in/changed", "/in/b"), row("c", "/in/c")),
			found:  []string{"/in/changed", "/in/c"}, world: place{covered: "/in/", gone: []string{"/in/b"}, same: true},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "a"}}, Gone: 1},
		},
		{
			name:   "two units of the same bytes after a kill",
			folder: folderOf(false, row("a", "/in/a"), row("b", "/in/a"), row("c", "/in/c")),
			found:  []string{"/in/c"}, world: place{covered: "/in/", gone: []string{"/in/a"}},
			want: standing.Outcome{Stay: []ledger.Row{{Key: "a"}}, Gone: 1},
		},
		{
			name: "rows of an interrupted run wait", folder: waiting(two(), "b"), found: []string{"/in/a"},
			world: place{covered: "/in/a"},
			want:  standing.Outcome{Waiting: []string{"b"}, Waits: "/in/b"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := standing.NewFound()
			for _, id := range tt.found {
				found.IDs[id], found.Stamps[id] = true, "1"
				if strings.HasSuffix(id, "changed") {
					found.Stamps[id] = "2"
				}
			}
			before := maps.Clone(tt.folder.Rows)
			got, err := standing.Settle(tt.folder, standing.Archives, found, tt.policy, tt.world)
			if (err != nil) != (tt.refuse != "") || err != nil && !strings.Contains(err.Error(), tt.refuse) {
				t.Fatalf("error %v, want %q", err, tt.refuse)
			}
			if diff := cmp.Diff(before, tt.folder.Rows, cmp.AllowUnexported(ledger.Row{})); diff != "" {
				t.Errorf("the folder was changed (-before +after):\n%s", diff)
			}
			if err != nil {
				return
			}
			keys := cmp.Comparer(func(a, b ledger.Row) bool { return a.Key == b.Key })
			if diff := cmp.Diff(tt.want, got, keys); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func waiting(h *standing.Folder, keys ...string) *standing.Folder {
	for _, key := range keys {
		h.Waiting[key] = true
	}
	return h
}

// TestSettle_pages: a folder with fewer single pages than were read is refused; one with more is not.
func TestSettle_pages(t *testing.T) {
	r := ledger.Row{Key: "a"}
	r.Inputs = []schemas.Range{
		{File: "/in", Group: &schemas.Group{First: "a", Last: "m", Files: 3}},
		{File: "/in", Group: &schemas.Group{First: "n", Last: "z", Files: 2}},
	}
	for pages, refused := range map[int]bool{4: true, 5: false, 6: false} {
		found := standing.NewFound()
		found.IDs["/in"], found.Pages["/in"] = true, pages
		_, err := standing.Settle(folderOf(true, r), standing.Archives, found, standing.Policy{}, place{covered: "/in"})
		if (err != nil) != refused {
			t.Errorf("%d pages of 5: %v", pages, err)
		}
	}
}

// TestSettle_topics: messages that a topic no longer retains are gone, and only their rows stay.
func TestSettle_topics(t *testing.T) {
	const file = schemas.TopicScheme + "broker/pages/0"
	message := func(key string, from, to int64) ledger.Row {
		r := ledger.Row{Key: key}
		r.Inputs = []schemas.Range{{File: file, Format: schemas.FormatTopic, Start: from, End: to}}
		return r
	}
	found := standing.NewFound()
	found.IDs[file], found.Trimmed[file] = true, 10
	h := folderOf(true, message("a", 0, 10), message("b", 10, 20))
	got, err := standing.Settle(h, standing.Topics, found, standing.Policy{}, place{covered: file})
	if err != nil || len(got.Stay) != 1 || got.Stay[0].Key != "a" || got.Gone != 1 {
		t.Errorf("outcome %+v, %v; want a to stay", got, err)
	}
}

// TestMerge: rows that stay come between the units by the names of their archives, and all are numbered again.
func TestMerge(t *testing.T) {
	unit := func(file string) schemas.Unit { return schemas.Unit{Inputs: []schemas.Range{{File: file}}} }
	units, stays := standing.Merge([]schemas.Unit{unit("b"), unit("d")},
		[]ledger.Row{row("e", "e"), row("a", "a"), row("c", "c")})
	names, keys := "", ""
	for i, u := range units {
		if u.ID != i {
			t.Errorf("unit %d has the number %d", i, u.ID)
		}
		names += u.Inputs[0].File
		keys += stays[i].Key
	}
	if names != "abcde" || keys != "ace" {
		t.Errorf("units %q, of which %q stay; want abcde, ace", names, keys)
	}
}
