package imageindex

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// shot is a capture of an image.
func shot(url, when, digest string, info schemas.Image) *schemas.Document {
	d := &schemas.Document{
		URL: url, SURT: urlkey.SURT(url), Timestamp: when, Digest: digest, Image: &info, Filename: "a.warc",
	}
	d.Host, _ = urlkey.Site(url)
	d.Offset = int64(hashOf(url+when) % 1e9)
	return d
}

// shows is a page with images.
func shows(url, title, language string, images ...schemas.PageImage) *schemas.Document {
	d := &schemas.Document{
		URL: url, SURT: urlkey.SURT(url), Timestamp: "2020-01-01T00:00:00Z", Title: title, Language: language,
		Images: images, Filename: "a.warc", Offset: int64(hashOf(url) % 1e9),
	}
	d.Host, _ = urlkey.Site(url)
	return d
}

const boat, boat2, logo = "http://img.example/red_boat.jpg", "http://img.example/b.jpg", "http://a.example/logo.png"

func documents() []*schemas.Document {
	photo := schemas.Image{Format: "jpeg", Width: 1200, Height: 800, Frames: 1, PHash: "00000000000000ff"}
	near := photo
	near.Width, near.PHash = 300, "00000000000001ff"
	return []*schemas.Document{
		shot(boat, "2010-05-01T00:00:00Z", "sha1:A", photo),
		shot(boat, "2012-05-01T00:00:00Z", "sha1:A", photo),
		shot(boat2, "2013-01-01T00:00:00Z", "sha1:B", near),
		shot(logo, "2014-01-01T00:00:00Z", "sha1:C", schemas.Image{Format: "gif", Width: 20, Height: 20, Frames: 5}),
		{URL: "http://a.example/old.bmp", SURT: "example,a)/old.bmp", MIMEDetected: "image/bmp", Host: "a.example"},
		shows("http://a.example/", "Harbours of the north", "en",
			schemas.PageImage{URL: boat, Alt: "A fishing vessel", Caption: "In Tromsø"}, schemas.PageImage{URL: logo}),
		shows("http://b.example/", "Häfen", "de",
			schemas.PageImage{URL: boat, Alt: "Ein Schiff", Caption: "東京タワー"}, schemas.PageImage{URL: boat2}),
	}
}

// source is a collection of one shard in a folder.
func source(dir string, list []*schemas.Document) Source {
	return Source{
		Dir: dir, CanWrite: true,
		Shards: []schemas.Shard{{Name: "documents-1.parquet", SHA256: strings.Repeat("a", 64), Bytes: int64(len(list))}},
		Documents: func(context.Context, schemas.Shard) iter.Seq2[*schemas.Document, error] {
			return func(yield func(*schemas.Document, error) bool) {
				for _, d := range list {
					if !yield(d, nil) {
						return
					}
				}
			}
		},
	}
}

func open(t *testing.T, s Source) *Index {
	t.Helper()
	x, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// rowsOf returns the rows of the hits.
func rowsOf(f Found) string {
	list := []string{}
	for _, h := range f.Hits {
		list = append(list, fmt.Sprint(h.Row))
	}
	return strings.Join(list, " ")
}

func day(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s)
	return t
}

func TestFind(t *testing.T) {
	x := open(t, source(t.TempDir(), documents()))
	for _, test := range []struct {
		name string
		q    Query
		want string // rows
	}{
		{"all, the newest capture of each, the newest first", Query{}, "3 2 1 4"},
		{"alternative text", Query{Words: "VESSEL"}, "1"},
		{"caption without accents", Query{Words: "tromso"}, "1"},
		{"file name", Query{Words: "red boat"}, "1"},
		{"words of text and title together", Query{Words: "fishing harbours"}, "1"},
		{"title", Query{Words: "harbours"}, "3 1"},
		{"not across pages", Query{Words: "fishing schiff"}, ""},
		{"beginning", Query{Words: "harb*"}, "3 1"},
		{"whole words only", Query{Words: "harb"}, ""},
		{"one letter of a script in pairs", Query{Words: "東"}, "1"},
		{"the last letter of a run", Query{Words: "ー"}, "1"},
		{"one letter and a star", Query{Words: "ワ*"}, "1"},
		{"a pair", Query{Words: "京タ"}, "1"},
		{"letters that are apart", Query{Words: "東タ"}, ""},
		{"another letter", Query{Words: "北"}, ""},
		{"the text counts more than the title", Query{Words: "hafen schiff*"}, "1"},
		{"format", Query{Formats: []string{"gif", "bmp"}}, "3 4"},
		{"size", Query{MinSide: 1000}, "1"},
		{"small", Query{MinSide: 1, MaxSide: 199}, "3"},
		{"animated", Query{Animated: true}, "3"},
		{"language of a page", Query{Language: "de"}, "2 1"},
		{"host of the image", Query{Host: "img.example"}, "2 1"},
		{"host of a page", Query{Host: "b.example"}, "2 1"},
		{"domain", Query{Host: "example"}, "3 2 1 4"},
		{"from", Query{From: day("2013-01-01")}, "3 2"},
		{"to", Query{To: day("2011-01-01")}, "0"},
		{"like", Query{Like: "00000000000003ff"}, "2 1"},
		{"not like", Query{Like: "ffffffffffffffff"}, ""},
		{"one page of the list", Query{Offset: 1, Limit: 2}, "2 1"},
		{"after the end", Query{Offset: 9}, ""},
	} {
		if test.q.Limit == 0 {
			test.q.Limit = 10
		}
		if got := rowsOf(x.Find(test.q)); got != test.want {
			t.Errorf("%s: rows %q, want %q", test.name, got, test.want)
		}
	}
}

// TestFind_describes: a hit has its captures, the similar images and the pages that show it.
func TestFind_describes(t *testing.T) {
	x := open(t, source(t.TempDir(), documents()))
	f := x.Find(Query{Words: "schiff", Limit: 10})
	if len(f.Hits) != 1 {
		t.Fatalf("%+v", f)
	}
	h := f.Hits[0]
	if h.Captures != 2 || h.Similar != 1 || h.Shown != 2 {
		t.Errorf("%+v", h)
	}
	want := []Page{{"documents-1.parquet", 6}, {"documents-1.parquet", 5}}
	if diff := cmp.Diff(want, h.Pages); diff != "" {
		t.Errorf("pages: -want +got\n%s", diff)
	}
	if got := rowsOf(x.Find(Query{Same: h.Same, Limit: 10})); got != "1" {
		t.Errorf("the same image: %q", got)
	}
	all := x.Find(Query{Limit: 10})
	if diff := cmp.Diff([]Count{{"jpeg", 2}, {"bmp", 1}, {"gif", 1}}, all.Formats); diff != "" {
		t.Errorf("formats: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]Count{{Small, 1}, {Medium, 1}, {Large, 1}}, all.Sizes); diff != "" {
		t.Errorf("sizes: -want +got\n%s", diff)
	}
}

// TestFind_may: captures that may not be read are not counted, and the words of such pages find nothing.
func TestFind_may(t *testing.T) {
	list := documents()
	x := open(t, source(t.TempDir(), list))
	hide := func(hidden ...int) func(uint64) bool {
		return func(place uint64) bool {
			return !slices.ContainsFunc(hidden, func(row int) bool { return Place(list[row]) == place })
		}
	}
	if f := x.Find(Query{Words: "vessel", Limit: 9, May: hide(5)}); f.Total != 0 {
		t.Errorf("words of a hidden page: %+v", f)
	}
	f := x.Find(Query{Words: "schiff", Limit: 9, May: hide(5, 2)})
	if f.Total != 1 || f.Hits[0].Similar != 0 || f.Hits[0].Shown != 1 {
		t.Errorf("%+v", f)
	}
	if f := x.Find(Query{Words: "schiff", Limit: 9, May: hide(0, 1)}); f.Total != 0 || len(f.Formats) != 0 {
		t.Errorf("hidden images: %+v", f)
	}
}

// TestOpen_files: a file is used while its shard is the same, is made again when it is damaged, and goes with its
// shard.
func TestOpen_files(t *testing.T) {
	dir := t.TempDir()
	s := source(dir, documents())
	open(t, s)
	path := filepath.Join(dir, "documents-1.images")
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Documents = func(context.Context, schemas.Shard) iter.Seq2[*schemas.Document, error] {
		t.Error("the shard is read again")
		return source(dir, documents()).Documents(t.Context(), schemas.Shard{})
	}
	if got := rowsOf(open(t, s).Find(Query{Words: "vessel", Limit: 9})); got != "1" {
		t.Errorf("rows %q", got)
	}
	for _, change := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { b[7]++; return b },
		func(b []byte) []byte { return nil },
	} {
		if err := os.WriteFile(path, change(slices.Clone(first)), 0o644); err != nil {
			t.Fatal(err)
		}
		open(t, source(dir, documents()))
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, first) {
			t.Errorf("a damaged file was not made again: %v", err)
		}
	}
	s = source(dir, documents()[:2])
	s.Shards[0].Name = "documents-2.jsonl.zst"
	open(t, s)
	if _, err := os.Stat(path); err == nil {
		t.Error("the file of a shard that is gone is still there")
	}
}

// TestOpen_logo: an image of very many pages takes no more room than one of maxUses.
func TestOpen_logo(t *testing.T) {
	list := documents()[:4]
	for n := range 10 * maxUses {
		list = append(list, shows(fmt.Sprintf("http://a.example/%d", n), "Page", "en", schemas.PageImage{URL: logo}))
	}
	f := open(t, source(t.TempDir(), list)).Find(Query{Words: "page", Limit: 9})
	if f.Total != 1 || f.Hits[0].Shown != maxUses || len(f.Hits[0].Pages) != maxPages {
		t.Errorf("%+v", f)
	}
}

// FuzzDecode: bytes that are not a part are refused, and a part can be searched.
func FuzzDecode(f *testing.F) {
	p, err := build(source("", documents()).Documents(f.Context(), schemas.Shard{}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.encode())
	f.Add([]byte{0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := decode(b)
		if !ok {
			return
		}
		x := &Index{shards: []schemas.Shard{{Name: "s"}}, parts: []*part{p}}
		x.number()
		x.Find(Query{Words: "a", Host: "b", Limit: 5})
		if again, ok := decode(p.encode()); !ok || len(again.images) != len(p.images) || len(again.uses) != len(p.uses) {
			t.Error("it is not the same when it is encoded again")
		}
	})
}
