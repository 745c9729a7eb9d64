package index

import (
	"math/rand/v2"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestShortURL has the URLs of which the index keeps nothing, and those that it has whole. All come back as they were,
// from Go and from the view that any SQLite opens.
func TestShortURL(t *testing.T) {
	tests := []struct {
		url, host string
		short     bool
	}{
		{"https://example.com/", "example.com", true},
		{"https://www.example.com/a/b-1?x=1&y=2", "www.example.com", true},
		{"https://example.com/a)b", "example.com", true},
		{"https://93.184.216.34/a", "93.184.216.34", true},
		{"http://example.com/http", "example.com", false},
		{"https://example.com/Upper", "example.com", false},
		{"https://example.com/?b=2&a=1", "example.com", false}, // the SURT has them in order
		{"https://example.com:8443/", "example.com", false},
		{"https://example.com", "example.com", false},
		{"https://example.com/page#part", "example.com", false},
		{"urn:uuid:1", "", false},
		{"dns:example.com", "", false},
		{"", "", true},
	}
	s := newShelf(t)
	docs := make([]*schemas.Document, len(tests))
	for i, test := range tests {
		docs[i] = &schemas.Document{
			URL: test.url, Host: test.host, SURT: urlkey.SURT(test.url), Offset: int64(i),
			Timestamp: "2024-05-06T07:08:09Z",
		}
		if got := shortURL(docs[i]) == ""; got != test.short {
			t.Errorf("%q of SURT %q: short %v, want %v", test.url, docs[i].SURT, got, test.short)
		}
	}
	s.put(t, 1, docs)
	x, _ := s.open(t, Options{})
	found := 0
	for h, err := range x.Find(t.Context(), query.Query{AllVersions: true}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if found++; h.URL != tests[h.Offset].url {
			t.Errorf("Find: %q, want %q", h.URL, tests[h.Offset].url)
		}
	}
	if found != len(tests) {
		t.Errorf("%d hits of %d", found, len(tests))
	}
	db, err := openDB(t.Context(), x.place.dir+"/"+indexFile, reading, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	for i, test := range tests {
		var url string
		if err := db.QueryRowContext(t.Context(), "select url from document where offset = ?", i).Scan(&url); err != nil {
			t.Fatal(err)
		}
		if url != test.url {
			t.Errorf("view: %q, want %q", url, test.url)
		}
	}
}

// TestUpdate_givesRoomBack looks whether the room of the parts that a merge read is free in the file.
func TestUpdate_givesRoomBack(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(1, 1))
	vocabulary := rand.NewZipf(r, 1.07, 2, 200_000)
	x, _ := s.open(t, Options{})
	for n := range 3 {
		docs := make([]*schemas.Document, 2000)
		for i := range docs {
			docs[i] = thin(r, vocabulary, 10_000, n*len(docs)+i, 40)
		}
		s.put(t, n, docs)
		if _, err := x.Update(t.Context(), s.part(t)); err != nil {
			t.Fatal(err)
		}
	}
	db, err := openDB(t.Context(), x.place.dir+"/"+textFile, reading, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	var free, mode int
	if err := db.QueryRowContext(t.Context(), "pragma freelist_count").Scan(&free); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRowContext(t.Context(), "pragma auto_vacuum").Scan(&mode); err != nil {
		t.Fatal(err)
	}
	if free > 0 || mode != 2 {
		t.Errorf("%d pages are free, auto_vacuum is %d; want none, and 2", free, mode)
	}
}
