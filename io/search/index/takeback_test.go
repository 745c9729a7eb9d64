package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

type documents = iter.Seq2[*schemas.Document, error]

// TestReplace_unread: nothing of a shard that ends with an error remains. The others of its group keep what they share
// with it, and their forms of words.
func TestReplace_unread(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	docs := formDocs(r, 600)
	for _, d := range docs {
		addLists(d, r)
	}
	for i, d := range docs[:200] { // each shard has a third of the pages of the others
		d.Filename, d.Authors = "broken", []string{"Nobody", "Ann"}
		d.Text += " brokenword"
		if i%3 == 0 {
			*d = *docs[200+i]
			d.Filename = "broken"
		}
	}
	for i, d := range docs[100:200] { // a value more than fits in
		d.Title = fmt.Sprint("unfit", i)
		if err := d.SetCustom("k", schemas.TypeInteger, []string{fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	docs[250].Language, docs[250].Text = "en", "gardens" // in the first shard alone
	failed := errors.New("a damaged page")
	for name, broken := range map[string]func(context.CancelFunc) documents{
		"at once":      func(context.CancelFunc) documents { return readUntil(docs[:0], failed) },
		"after one":    func(context.CancelFunc) documents { return readUntil(docs[:1], failed) },
		"at the end":   func(context.CancelFunc) documents { return readUntil(docs[:200], failed) },
		"does not fit": func(context.CancelFunc) documents { return readUntil(docs[:200], nil) },
		"interrupted": func(stop context.CancelFunc) documents {
			return func(yield func(*schemas.Document, error) bool) {
				for i, d := range docs[:200] {
					if i == 150 {
						stop()
					}
					if !yield(d, nil) {
						return
					}
				}
			}
		},
	} {
		for _, existed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := newShelf(t)
				s.put(t, 0, docs[200:400])
				s.put(t, 2, docs[400:])
				want, _ := s.open(t, Options{Dir: t.TempDir()})
				dir := t.TempDir()
				if existed {
					s.put(t, 1, docs[:100])
					x, _ := s.open(t, Options{Dir: dir})
					_ = x.Close() // it is made by Update
					delete(s.shards, shardName(1))
				}
				putBroken(t, s, dir, existed, broken)
				x, report := s.open(t, Options{Dir: dir})
				if report != (Report{}) {
					t.Errorf("%+v, want nothing to do", report)
				}
				filters := []string{"garden", "bridge", "climats", "Haus", "мост", "brokenword", "authors = Ann"}
				for _, filter := range filters {
					s.compare(t, x, filter)
				}
				for _, table := range []string{
					"select value from name order by 1", "select surt || url || title from page order by 1",
					"select name from shard order by 1", "select text from orphan",
				} {
					if got, want := rowsOf(t, x, table), rowsOf(t, want, table); !slices.Equal(got, want) {
						t.Errorf("%s: %q, want %q", table, got, want)
					}
				}
			})
		}
	}
}

// readUntil yields documents, and then an error unless it is nil.
func readUntil(docs []*schemas.Document, err error) documents {
	return func(yield func(*schemas.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// putBroken puts the shards of s into an index, and shard 1, which fails, between them.
func putBroken(
	t *testing.T, s *shelf, dir string, existed bool,
	broken func(context.CancelFunc) documents,
) {
	t.Helper()
	x := &Index{options: Options{}.withDefaults(), place: place{dir: dir}}
	x.options.limits.customRows = 90
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, part := u.writers[""], s.part(t)
	put := func(i int) {
		if existed { // they are there
			return
		}
		if _, err := w.replace(t.Context(), part.Shards[i], readUntil(s.shards[part.Shards[i].Name], nil)); err != nil {
			t.Fatal(err)
		}
	}
	put(0)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := w.replace(ctx, schemas.Shard{Name: shardName(1), SHA256: "other"}, broken(stop))
	if err == nil || errors.Is(err, errGroup) {
		t.Fatalf("error %v", err)
	}
	put(1)
	if err := errors.Join(w.commit(t.Context()), w.close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// rowsOf are the first columns of a query on index.db.
func rowsOf(t *testing.T, x *Index, query string) (list []string) {
	t.Helper()
	err := each(t.Context(), x.volumes[0].index.db, func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		list = append(list, s)
		return err
	}, query)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestReplace_full: a shard for which a volume has no numbers left is taken back, and the group stays.
func TestReplace_full(t *testing.T) {
	x := &Index{options: Options{}.withDefaults(), place: place{dir: t.TempDir()}}
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, docs := u.writers[""], manyDocs(0)
	if _, err := w.replace(t.Context(), schemas.Shard{Name: "a"}, readUntil(docs[:50], nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.exec(t.Context(), "update state set value = ? where key = 'next'", math.MaxUint32-10); err != nil {
		t.Fatal(err)
	}
	_, err := w.replace(t.Context(), schemas.Shard{Name: "b"}, readUntil(docs[50:], nil))
	if !errors.Is(err, errFull) || errors.Is(err, errGroup) {
		t.Errorf("error %v", err)
	}
	if err := errors.Join(w.commit(t.Context()), w.close(t.Context()), x.open(t.Context())); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	if got := rowsOf(t, x, "select count(*) from version"); got[0] != "50" {
		t.Errorf("%s versions", got[0])
	}
}
