package contentdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/schemas"
)

// imagesDir is the folder of the index of images, in that of the index.
const imagesDir = "images"

// images are the index of images, read when it is first asked.
type images struct {
	mu sync.Mutex
	x  *imageindex.Index
}

// openImages reads the index of images, and brings it up to date.
func (db *DB) openImages(ctx context.Context) (*imageindex.Index, error) {
	if db.o.Files != nil {
		return nil, fmt.Errorf("%w: an earlier snapshot has no index of images", ErrNotThere)
	}
	db.images.mu.Lock() // held while reading, so that only one of several callers reads
	defer db.images.mu.Unlock()
	if db.images.x != nil {
		return db.images.x, nil
	}
	s := imageindex.Source{Shards: db.toIndex().DocumentShards(), Documents: db.reader(imageindex.Columns)}
	// Without a folder, the index is only in memory.
	if dir, canWrite, err := index.Dir(db.part.Folder); err == nil {
		s.Dir, s.CanWrite = filepath.Join(dir, imagesDir), canWrite
	}
	x, err := imageindex.Open(ctx, s)
	if err = errors.Join(err, db.dropOlder(s.Dir, s.CanWrite)); err != nil {
		return nil, fmt.Errorf("contentdb: images: %w", err)
	}
	db.images.x = x
	return x, nil
}

// dropOlder removes a folder of the index that was written for an older manifest, as pages may have been taken down
// since. It is made again when it is asked.
func (db *core) dropOlder(dir string, written bool) error {
	if !written || db.isCurrent() {
		return nil
	}
	return os.RemoveAll(dir)
}

// isCurrent reports whether the manifest is that of Open.
func (db *core) isCurrent() bool {
	now, err := manifestHash(db.part.Folder)
	return err == nil && now == db.seen
}

// updateImages brings the index of images up to date, or makes it again.
func (db *DB) updateImages(ctx context.Context, rebuild bool) error {
	dir, canWrite, err := index.Dir(db.part.Folder)
	if err != nil || !canWrite {
		return err
	}
	if rebuild {
		if err := imageindex.Remove(filepath.Join(dir, imagesDir)); err != nil {
			return err
		}
	}
	_, err = db.openImages(ctx)
	return err
}

// reader returns a function that yields the documents of a shard with at least some columns.
func (db *DB) reader(columns []string) func(context.Context, schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return func(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
		if _, is := parquetUnit(s); !is {
			return holdings.Part{Folder: db.part.Folder, Shards: []schemas.Shard{s}}.Documents(ctx)
		}
		return func(yield func(*schemas.Document, error) bool) {
			for r, err := range db.shards.In(ctx, s, nil, columns) {
				if !yield(r.Document, err) || err != nil {
					return
				}
			}
		}
	}
}

// Image is an image that Images found.
type Image struct {
	imageindex.Hit
	Capture *schemas.Document   // the newest that matches
	Pages   []*schemas.Document // that show it, best first
}

// Images is the answer to a search for images.
type Images struct {
	imageindex.Found
	List []Image
}

// imageColumns are the columns of Image.Capture and Image.Pages.
var imageColumns = []string{
	"body_bytes", "digest", "errors", "filename", "host", "image", "images", "language", "length", "mime_detected",
	"offset", "sequence", "status", "surt", "timestamp", "title", "url",
}

// FindImages searches for images. Captures that may not be read are neither found nor counted, and neither are the
// words of pages that may not be read.
func (db *DB) FindImages(ctx context.Context, q imageindex.Query) (*Images, error) {
	x, err := db.openImages(ctx)
	if err != nil {
		return nil, err
	}
	if db.limits != nil {
		b, err := db.blocked(ctx)
		if err != nil {
			return nil, err
		}
		q.May = b.mayRead
	}
	a := &Images{Found: x.Find(q)}
	docs, err := db.imageDocuments(ctx, a.Hits)
	if err != nil {
		return nil, err
	}
	for _, h := range a.Hits {
		i := Image{Hit: h, Capture: docs[imageindex.Page{Shard: h.Shard, Row: h.Row}]}
		for _, p := range h.Pages {
			i.Pages = append(i.Pages, docs[p])
		}
		a.List = append(a.List, i)
	}
	return a, nil
}

// mayRead reports whether the capture of a place is not among the blocked ones.
func (b *blocked) mayRead(place uint64) bool {
	_, found := slices.BinarySearch(b.places, place)
	return !found
}

// imageDocuments reads the documents of hits, and of the pages that show them.
func (db *DB) imageDocuments(
	ctx context.Context, hits []imageindex.Hit,
) (map[imageindex.Page]*schemas.Document, error) {
	rows := map[string][]int64{}
	for _, h := range hits {
		rows[h.Shard] = append(rows[h.Shard], h.Row)
		for _, p := range h.Pages {
			rows[p.Shard] = append(rows[p.Shard], p.Row)
		}
	}
	docs := map[imageindex.Page]*schemas.Document{}
	var errs []error
	for shard, list := range rows {
		slices.Sort(list)
		errs = append(errs, db.readRows(ctx, shard, slices.Compact(list), db.limits.columns(imageColumns),
			func(row int64, d *schemas.Document) bool {
				docs[imageindex.Page{Shard: shard, Row: row}] = d
				return true
			}))
	}
	return docs, errors.Join(errs...)
}
