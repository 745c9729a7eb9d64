package contentdb

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestDB_olderThanTakedown: a database that was opened before a takedown still answers, and writes nothing of the page
// to the folder again.
func TestDB_olderThanTakedown(t *testing.T) {
	where, err := query.Parse(`url = "http://closed.example/"`)
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func(db *DB) error{
		"images": func(db *DB) error {
			_, err := db.FindImages(t.Context(), imageindex.Query{Words: "vessel", Limit: 5})
			return err
		},
		"meaning": func(db *DB) error {
			_, err := db.About(t.Context(), AboutRequest{Text: "vessel"})
			return err
		},
		"outlines": func(db *DB) error {
			_, err := db.shards.Chosen(t.Context(), where)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder.Open(t.Context(), t.TempDir(), nil)
			docs := imageDocuments()
			docs[0].Text = "A vessel of zanzibarquagga."
			docs[0].Images = []schemas.PageImage{{URL: "http://closed.example/p.png", Alt: "A vessel of zanzibarquagga"}}
			archive := schemas.Range{File: "a.warc.gz", End: 1, Format: "warc+gzip"}
			collectiontest.Fill(t, f, archive, holdings.FormatParquet, docs)
			db, err := Open(t.Context(), hold(t, f), Options{NoIndex: true, Meaning: standard.Model})
			if err != nil {
				t.Fatal(err)
			}
			removeHost(t, f, "closed.example")
			if err := ask(db); err != nil && !errors.Is(err, ErrNoIndex) {
				t.Fatal(err)
			}
			if names := having(t, f.Path(holdings.Hidden("index")), ""); len(names) > 0 {
				t.Errorf("%v are of the older shards", names) // vectors are not text
			}
			for _, text := range []string{"zanzibarquagga", "closed.example", "example,closed", "ZXhhbXBsZSxjbG9zZWQ"} {
				if names := having(t, f.Path(""), text); len(names) > 0 {
					t.Errorf("%s is in %v again", text, names)
				}
			}
		})
	}
}

// held is a folder of which files stay open, as a server's.
type held struct {
	folder.Folder
	open map[string]folder.Reader
}

func hold(t *testing.T, f folder.Folder) held {
	t.Helper()
	h := held{f, map[string]folder.Reader{}}
	all, _, err := holdings.Whole(f)
	for _, s := range all.Shards {
		if err == nil {
			h.open[s.Name], err = f.Open(s.Name)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (h held) Open(name string) (folder.Reader, error) {
	if r, is := h.open[name]; is {
		return section{io.NewSectionReader(r, 0, r.Size())}, nil
	}
	return h.Folder.Open(name)
}

func (h held) Size(name string) (int64, error) {
	if r, is := h.open[name]; is {
		return r.Size(), nil
	}
	return h.Folder.Size(name)
}

// section is an open file that stays open.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// removeHost takes a host down, as the command does.
func removeHost(t *testing.T, f folder.Folder, host string) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := takedown.Parse(host)
	if err == nil {
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{e}, nil)
	}
	err = errors.Join(err, c.Close(), care.RemoveDerived(f), os.RemoveAll(f.Path(holdings.Hidden("index"))))
	if err != nil {
		t.Fatal(err)
	}
}

// having returns the files with a text.
func having(t *testing.T, dir, text string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
