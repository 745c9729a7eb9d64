package sourcedb

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Part is the data from one unit of a collection: two runs in the folder of the Source DB.
type Part struct {
	Key    string        `json:"key"`
	Unit   string        `json:"unit"` // identifies the unit, whatever its rules and shards
	States schemas.Shard `json:"states"`
	Pages  schemas.Shard `json:"pages"`
	Months []period      `json:"months"` // of captured pages, ascending
	Feeds  int64         `json:"feeds"`  // rows read
	Docs   int64         `json:"docs"`   // documents read
	Listed int64         `json:"listed"` // feeds that documents and rows are about
	Loss   *Loss         `json:"loss,omitempty"`
}

// PartKey identifies the data from a unit's shards, by their bytes and by the versions of the rules. A unit in two
// collections gives one part.
func PartKey(shards []schemas.Shard) string {
	// With another version of the rules a unit is read again.
	return shardsKey("part "+source.Version+" "+layout, shards)
}

// shardsKey identifies the shards of a unit that are read; about says for what.
func shardsKey(about string, shards []schemas.Shard) string {
	// Other shards are not read, so they must not change it.
	h := sha256.New()
	fmt.Fprintln(h, about)
	for _, s := range shards {
		if isRead(s.Name) {
			kind, _, _ := strings.Cut(s.Name, "-")
			fmt.Fprintln(h, kind, s.SHA256, s.Bytes)
		}
	}
	// 80 bits are unique.
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// isRead reports whether a shard of a collection is read for the Source DB.
func isRead(name string) bool {
	return strings.HasPrefix(name, "feeds-") || strings.HasPrefix(name, "documents-")
}

// WritePart reads the feeds and documents of a unit. It writes their data about sources as hidden runs into the folder
// of a Source DB. It reuses existing runs: a part's name identifies everything that it depends on.
//
// Unreadable data of the unit is written as rejects, and the part has the key of the data that was read. So the unit
// counts as not merged, and the next run reads it again, in case a shard was restored.
func WritePart(ctx context.Context, out folder.Folder, unit holdings.Part, o SortOptions) (Part, error) {
	p := Part{Key: PartKey(unit.Shards), Unit: shardsKey("unit", unit.Shards)}
	// Work of an earlier run is reused, even if it was killed later.
	if done, err := readPart(out, p.Key); err == nil {
		return done, nil
	}
	// The runs precede the file that names them, so that a part is complete or missing.
	err := p.write(ctx, out, unit, o)
	if err == nil {
		err = p.save(out)
	}
	return p, err
}

// SortOptions limit the memory of sorting, and say where it spills.
type SortOptions = extsort.Options

func (p *Part) write(ctx context.Context, out folder.Folder, unit holdings.Part, o SortOptions) (err error) {
	states, pages := extsort.New(shared(o, 2)), extsort.New(shared(o, 2))
	defer func() { err = errors.Join(err, states.Close(), pages.Close()) }()
	bad := newRejects(out)
	defer bad.abort()
	unit.Rejected, unit.Refuse = bad.add, source.CheckFeed
	// Each is read once, as a stream.
	for row, err := range unit.FeedsBy(ctx, readFeed) {
		if err != nil {
			return err
		}
		p.Feeds++
		// By URL key: rows of one feed are merged when the run is written.
		if err := states.Add([]byte(source.Key(row.URL)), source.Encode(nil, source.FromFeed(&row))); err != nil {
			return err
		}
	}
	for d, err := range unit.DocumentsBy(ctx, readDocument) {
		if err != nil {
			return err
		}
		p.Docs++
		if err := addPage(pages, d); err != nil {
			return err
		}
	}
	if p.Loss, err = bad.commit(); err != nil {
		return err
	}
	if p.Loss != nil {
		if p.Key, err = keyOf(unit); err != nil {
			return err
		}
		p.Loss.Unit, p.Loss.Part = p.Unit, p.Key
	}
	if p.States, err = p.run(out, "states", states, joinStates, nil); err != nil {
		return err
	}
	return p.writePages(out, pages)
}

// writePages writes the sorted pages.
func (p *Part) writePages(out folder.Folder, pages *extsort.Sorter) (err error) {
	months := map[period]bool{}
	p.Pages, err = p.run(out, "pages", pages, source.JoinEncodedPages, func(page []byte) error {
		t, err := source.TimeOf(page)
		months[monthOf(t)] = true
		return err
	})
	p.Months = append([]period{}, slices.Sorted(maps.Keys(months))...)
	return err
}

// addPage adds a page under the key of its URL and of its canonical URL, if that is on the same site. Feeds link to
// either.
func addPage(pages *extsort.Sorter, d *schemas.Document) error {
	page := source.FromDocument(d)
	page.Publisher = publisher.Type(signalsOf(d))
	// The sorter copies, so a buffer on the stack serves nearly all pages.
	var room [1024]byte
	if err := pages.Add(linkKey(page.Link), source.EncodePage(room[:0], page)); err != nil || d.Canonical == "" {
		return err
	}
	// A page may state any canonical URL. It is accepted only on the same site, and not from a redirect or a failure,
	// which say nothing of the other URL.
	_, domain := urlkey.Site(d.Canonical)
	link := source.LinkKey(d.Canonical)
	if link == page.Link || domain != d.Domain || d.Status >= 300 {
		return nil
	}
	// A visit is of the captured URL only.
	page.Link, page.Visits = link, nil
	return pages.Add(linkKey(link), source.EncodePage(room[:0], page))
}

// signalsOf returns the signals in a page's URL: a document lacks the page's generator and types. Sources are
// classified by votes of pages, so this suffices.
func signalsOf(d *schemas.Document) publisher.Signals {
	s := publisher.Signals{Host: d.Host, Domain: d.Domain}
	if u, err := url.Parse(d.URL); err == nil {
		s.Path = strings.ToLower(u.RequestURI())
	}
	return s
}

// linkKey returns a link's hash as a key that sorts like it.
func linkKey(link uint64) []byte { return binary.BigEndian.AppendUint64(nil, link) }

// run writes sorted records as a run, with one record for each key, and calls see, if not nil, with each value.
func (p *Part) run(
	out folder.Folder, kind string, s *extsort.Sorter, join joinFunc, see func(value []byte) error,
) (schemas.Shard, error) {
	w, err := newRun(out, hidden("part-"+p.Key+"-"+kind+"-%s"), partBlock)
	if err != nil {
		return schemas.Shard{}, err
	}
	defer w.abort()
	var key, value []byte
	some := false // there is a record to write; its key may be empty
	flush := func() error {
		if !some {
			return nil
		}
		if see != nil {
			if err := see(value); err != nil {
				return err
			}
		}
		return w.add(key, value)
	}
	err = s.Merge(func(k, v []byte) error {
		// Joined here, so that a run has each key once and stays short.
		if some && string(k) == string(key) {
			// The state is held once, and limited: see source.Merge.
			joined, err := join(value, v)
			// Copied, because it may be v.
			value = append(value[:0], joined...)
			return err
		}
		if err := flush(); err != nil {
			return err
		}
		// Copied, because the sorter reuses its memory; key and value are not used elsewhere.
		key, value, some = append(key[:0], k...), append(value[:0], v...), true
		return nil
	})
	if err = errors.Join(err, flush()); err != nil {
		return schemas.Shard{}, err
	}
	return w.commit()
}

func joinStates(a, b []byte) ([]byte, error) {
	x, err := source.Decode(a)
	if err != nil {
		return nil, err
	}
	y, err := source.Decode(b)
	if err != nil {
		return nil, err
	}
	return source.Encode(nil, source.Merge(x, y)), nil
}

func partFile(key string) string { return hidden("part-" + key + ".json") }

func (p Part) save(out folder.Folder) error {
	data, err := folder.EncodeJSON(p)
	if err != nil {
		return err
	}
	// The last of the three files, which makes the part exist.
	return out.Write(partFile(p.Key), data)
}

// readPart returns the part of a unit from an earlier run, if its files exist.
func readPart(out folder.Folder, key string) (p Part, err error) {
	if err := folder.ReadJSON(out, partFile(key), maxManifest, &p); err != nil {
		return Part{}, err
	}
	if p.Months == nil {
		return Part{}, fs.ErrNotExist // of an earlier version, which lacks it
	}
	// By size: complete files are renamed, see commit.
	files := []schemas.Shard{p.States, p.Pages}
	if p.Loss != nil {
		files = append(files, p.Loss.Rejects...)
	}
	for _, s := range files {
		size, err := out.Size(s.Name)
		if err != nil {
			return Part{}, err
		}
		// A truncated file is made again.
		if size != s.Bytes {
			return Part{}, fs.ErrNotExist
		}
	}
	return p, nil
}
