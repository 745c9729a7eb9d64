package contentdb

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// imageDocuments are an image, a page that shows it, and one whose host is closed.
func imageDocuments() []*schemas.Document {
	photo := []schemas.PageImage{{URL: "http://open.example/boat.jpg", Alt: "A red vessel", Source: "img"}}
	return []*schemas.Document{
		{
			URL: "http://closed.example/", SURT: "example,closed)/", Host: "closed.example",
			Timestamp: "2020-01-01T00:00:00Z", Title: "Secret", Images: photo, Filename: "a.warc.gz", RecordType: schemas.TypeResponse,
		},
		{
			URL: "http://open.example/", SURT: "example,open)/", Host: "open.example", Timestamp: "2020-01-01T00:00:00Z",
			Title: "Ships", Images: photo, Filename: "a.warc.gz", Offset: 1, RecordType: schemas.TypeResponse,
		},
		{
			URL: "http://open.example/boat.jpg", SURT: "example,open)/boat.jpg", Host: "open.example",
			Timestamp: "2020-01-01T00:00:00Z", MIMEDetected: "image/jpeg", Filename: "a.warc.gz", Offset: 2,
			Image: &schemas.Image{Format: "jpeg", Width: 800, Height: 600, Frames: 1}, RecordType: schemas.TypeResponse,
		},
	}
}

func TestFindImages(t *testing.T) {
	for _, format := range []string{holdings.FormatParquet, holdings.FormatJSONL} {
		f := folder.Open(t.Context(), t.TempDir(), nil)
		collectiontest.Fill(t, f, schemas.Range{File: "a.warc.gz", End: 1, Format: "warc+gzip"}, format, imageDocuments())
		db, err := Open(t.Context(), f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := db.FindImages(t.Context(), imageindex.Query{Words: "vessel", Limit: 5})
		if err != nil || len(a.List) != 1 {
			t.Fatalf("%s: %+v, %v", format, a, err)
		}
		i := a.List[0]
		if i.Capture.URL != "http://open.example/boat.jpg" || i.Capture.Image.Width != 800 || len(i.Pages) != 2 {
			t.Errorf("%s: %+v", format, i)
		}
		e, err := query.Parse("host != closed.example")
		if err != nil {
			t.Fatal(err)
		}
		part, err := db.Limited(t.Context(), Limits{Listed: e})
		if err != nil {
			t.Fatal(err)
		}
		a, err = part.FindImages(t.Context(), imageindex.Query{Words: "vessel", Limit: 5})
		if err != nil || len(a.List) != 1 || len(a.List[0].Pages) != 1 || a.List[0].Pages[0].Title != "Ships" {
			t.Errorf("%s, for a reader of a part: %+v, %v", format, a, err)
		}
		if a, err = part.FindImages(t.Context(), imageindex.Query{Words: "secret", Limit: 5}); err != nil || a.Total != 0 {
			t.Errorf("%s, words of a closed host: %+v, %v", format, a, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		// The update of the index makes the file, too.
		dir := f.Path(".gleaner/index/images")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := UpdateIndex(t.Context(), f, UpdateOptions{Rebuild: true}); err != nil {
			t.Fatal(err)
		}
		if list, err := filepath.Glob(dir + "/*.images"); err != nil || len(list) != 1 {
			t.Errorf("%s: files %v, %v", format, list, err)
		}
	}
}

// TestFindImages_snapshot: an earlier snapshot has no index of images.
func TestFindImages_snapshot(t *testing.T) {
	path := collectiontest.Make(t, "a.warc.gz", imageDocuments()...)
	f := folder.Open(t.Context(), path, nil)
	db, err := Open(t.Context(), f, Options{Files: []schemas.Shard{{Name: "documents-x.parquet", Bytes: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.FindImages(t.Context(), imageindex.Query{Limit: 1}); !errors.Is(err, ErrNotThere) {
		t.Errorf("%v", err)
	}
}
