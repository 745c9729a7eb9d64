package care

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// ErrNothing means that the folder holds no documents to adopt.
var ErrNothing = errors.New("no documents-*.jsonl, .jsonl.zst, .jsonl.gz or .parquet is there")

// Adopt turns the files of documents in from, which another program wrote, into units in the formats of o. Each file,
// JSON lines or Parquet in our columns, becomes a unit. Files that were adopted before and have not changed are
// skipped. The unit of a file that has changed replaces the earlier one. A folder that is a collection is an error:
// Merge takes those. It returns how many units are new.
func Adopt(ctx context.Context, c Collection, from folder.Folder, o shard.Options) (units int, err error) {
	// Adopting a collection's documents would lose its rows and takedowns.
	if _, err := holdings.ReadManifest(from); !errors.Is(err, fs.ErrNotExist) {
		return 0, errors.Join(err, fmt.Errorf("collection: %s is a collection: merge it", from.Path("")))
	}
	ours, err := ledger.Finished(c.Folder())
	if errors.Is(err, fs.ErrNotExist) {
		ours = schemas.Manifest{
			Options: map[string]any{"formats": o.WithDefaults().Formats}, Versions: map[string]string{},
		}
		err = nil
	}
	if err != nil {
		return 0, err
	}
	list, err := takedown.Read(c.Folder())
	if err != nil {
		return 0, err
	}
	names, err := from.Names("")
	if err != nil {
		return 0, err
	}
	here, err := wholeRows(c, ours)
	if err != nil {
		return 0, err
	}
	waiting, err := ledger.Waiting(c.Folder(), here)
	if err != nil {
		return 0, err
	}
	found, replaced := false, map[string]bool{}
	for _, name := range names {
		if p, _, ok := holdings.SplitName(name); !ok || p.Kind != holdings.KindDocuments {
			continue
		}
		found = true
		key, done, err := adoptFile(ctx, c.Folder(), from, name, o, list)
		delete(waiting, key)
		if err != nil {
			return units, fmt.Errorf("collection: adopt %s: %w", from.Path(name), err)
		}
		// Each file is committed by itself, so that Adopt can be repeated after a crash.
		units += done
		for old, r := range here {
			if old != key && isOf(r, from.Path(name)) {
				replaced[old] = true
			}
		}
	}
	if !found {
		return 0, fmt.Errorf("%w: %s", ErrNothing, from.Path(""))
	}
	return units, finishMerged(c, ours, schemas.Manifest{}, waiting, replaced)
}

// isOf reports whether a unit was adopted from this file. Archives have a format.
func isOf(r ledger.Row, file string) bool {
	return len(r.Inputs) == 1 && r.Inputs[0].File == file && r.Inputs[0].Format == "" &&
		r.Inputs[0].Kind() == schemas.KindFile
}

// adoptFile writes one file as a unit. It returns the unit's key, and units 1 if the unit is new, else 0.
func adoptFile(
	ctx context.Context, to, from folder.Folder, name string, o shard.Options, list takedown.List,
) (key string, units int, err error) {
	// The file is read twice: the key must be known before anything is written.
	size, sum, err := ledger.HashFile(from, name)
	if err != nil {
		return "", 0, err
	}
	s := schemas.Shard{Name: name, Bytes: size, SHA256: sum}
	u := schemas.Unit{Inputs: []schemas.Range{{File: from.Path(name), End: size, Fingerprint: "sha256:" + sum}}}
	// The key depends on bytes and formats: a file that changed, or is wanted in another format, is another unit.
	key = ledger.Key(u, []string{"adopt with places", sum, strings.Join(o.WithDefaults().Formats, ",")}, ledger.Version)
	if _, done, err := shard.Committed(to, u, key, nil); err != nil || done {
		return key, 0, err
	}
	w, err := shard.NewWriter(to, u, key, o)
	if err != nil {
		return key, 0, err
	}
	defer w.Abort()
	var counts schemas.Counts
	// Reading JSON lines ends with an error if their bytes do not have the hash, so a file that changes meanwhile is
	// refused.
	for d, err := range documentsOf(ctx, from, s) {
		if err != nil {
			return key, 0, err
		}
		counts.Captures++
		// Pages that were taken down must not come back through Adopt.
		if list.Has(d.URL) {
			counts.TakenDown++
			continue
		}
		place(d, from.Path(name), counts.Captures)
		counts.Document(d)
		if err := errors.Join(w.Document(d), w.CDX(LineOf(d))); err != nil {
			return key, 0, err
		}
	}
	w.SetInput(0, u.Inputs[0].Fingerprint, 0)
	_, err = w.Commit(counts, ledger.Note{})
	return key, 1, err
}

// place fills in where a document is from, if its program has not: searches, versions of a page and access rules need
// it. Its file and its number stand for a place in an archive, since no two documents have the same place.
func place(d *schemas.Document, file string, number int64) {
	if d.Filename == "" {
		d.Filename, d.Offset, d.Sequence = file, 0, int(number)
	}
	host, domain := urlkey.Site(d.URL)
	d.SURT, d.Host = cmp.Or(d.SURT, urlkey.SURT(d.URL)), cmp.Or(d.Host, host)
	// The domain of another host would be wrong.
	if d.Host == host {
		d.Domain = cmp.Or(d.Domain, domain)
	}
}

// documentsOf reads a file of documents of any name.
func documentsOf(ctx context.Context, f folder.Folder, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return holdings.Each(ctx, []schemas.Shard{s}, func(s schemas.Shard) iter.Seq2[*schemas.Document, error] {
		// The extension decides: names that other programs give contain no key.
		if p, _, _ := holdings.SplitName(s.Name); p.Ext == holdings.ExtParquet {
			return holdings.ReadParquet(f, s)
		}
		return holdings.ReadLines[*schemas.Document](f, s)
	})
}

// LineOf returns the index line of a document's capture.
func LineOf(d *schemas.Document) cdx.Line {
	l := cdx.Line{
		SURT: d.SURT, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest, Length: d.Length,
		Offset: d.Offset, Filename: d.Filename,
	}
	if t, err := time.Parse(time.RFC3339, d.Timestamp); err == nil {
		l.Timestamp = t
	}
	if d.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	if d.Sequence > 0 {
		l.Offset = -1 // there begins another record
	}
	return l
}
