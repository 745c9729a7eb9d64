package care

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrNothing means that the folder holds no documents to adopt.
var ErrNothing = errors.New("no documents-*.jsonl, .jsonl.zst, .jsonl.gz or .parquet is there")

// ErrRefused means that files were not taken in, because they cannot be read as documents.
var ErrRefused = errors.New("the other files are taken in, but not")

// Adopted is the result of Adopt.
type Adopted struct {
	Units int // that were new
	// Undated are the documents of these units whose timestamp was not a time, and Example is the first one's. They have
	// no timestamp now, and a flag.
	Undated int64
	Example string
}

// Adopt turns the files of documents in from, which another program wrote, into units in the formats of o. Each file,
// JSON lines or Parquet in our columns, becomes a unit. Unchanged files of an earlier call are skipped, also if
// their folder was moved. The unit of a file that has changed replaces the earlier one. A folder that is a collection
// is an error: Merge takes those. If some files cannot be read, the others are taken in, and the error is ErrRefused.
func Adopt(ctx context.Context, c Collection, from folder.Folder, o shard.Options) (done Adopted, err error) {
	// Adopting a collection's documents would lose its rows and takedowns.
	if _, err := holdings.ReadManifest(from); !errors.Is(err, fs.ErrNotExist) {
		return done, errors.Join(err, fmt.Errorf("collection: %s is a collection: merge it", from.Path("")))
	}
	ours, err := ledger.Finished(c.Folder())
	if errors.Is(err, fs.ErrNotExist) {
		ours = schemas.Manifest{
			Options: map[string]any{"formats": o.WithDefaults().Formats}, Versions: map[string]string{},
		}
		err = nil
	}
	if err != nil {
		return done, err
	}
	list, err := takedown.Read(c.Folder())
	if err != nil {
		return done, err
	}
	names, err := from.Names("")
	if err != nil {
		return done, err
	}
	here, err := wholeRows(c, ours)
	if err != nil {
		return done, err
	}
	waiting, err := ledger.Waiting(c.Folder(), here)
	if err != nil {
		return done, err
	}
	names, others := documentFiles(names)
	if len(names) == 0 {
		return done, fmt.Errorf("%w: %s", ErrNothing, from.Path(""))
	}
	if len(others) > 0 {
		slog.Warn(fmt.Sprintf("%d files are not taken in, because they are not documents-*.jsonl, .jsonl.zst, .jsonl.gz or "+
			".parquet; the first: %s", len(others), schemas.Printable(from.Path(others[0]))))
	}
	paths, err := blob.NewPaths()
	if err != nil {
		return done, err
	}
	a := &adoption{
		ctx: ctx, to: c.Folder(), from: from, o: o.WithDefaults(), list: list, here: here, files: map[string]bool{},
		replaced: map[string]bool{}, used: map[string]bool{}, paths: paths,
	}
	for _, name := range names {
		a.files[a.fileOf(name)] = true
	}
	if err := a.all(names, waiting); err != nil {
		return a.done, err
	}
	err = finishMerged(c, ours, schemas.Manifest{}, waiting, a.replaced)
	if err == nil && len(a.refused) > 0 {
		err = fmt.Errorf("collection: adopt: %w %w", ErrRefused, errors.Join(a.refused...))
	}
	return a.done, err
}

// documentFiles returns the files that Adopt takes, and other files that look like documents.
func documentFiles(names []string) (taken, others []string) {
	for _, name := range names {
		isNamed := strings.HasPrefix(name, holdings.KindDocuments+"-")
		// Other programs may have dots anywhere in their names.
		is := slices.ContainsFunc([]string{".jsonl", ".jsonl.zst", ".jsonl.gz", holdings.ExtParquet}, func(ext string) bool {
			return strings.HasSuffix(name, ext)
		})
		if isNamed && is {
			taken = append(taken, name)
		} else if isNamed || strings.HasSuffix(name, holdings.ExtParquet) {
			others = append(others, name)
		}
	}
	return taken, others
}

// adoption is the state of an Adopt.
type adoption struct {
	ctx      context.Context
	to, from folder.Folder
	o        shard.Options
	list     takedown.List
	here     map[string]ledger.Row // rows of before
	files    map[string]bool       // of from, as fileOf names them
	paths    *blob.Paths
	replaced map[string]bool // keys of earlier units of these files
	used     map[string]bool // keys of earlier units that stand for one of these files
	refused  []error         // of files that cannot be read
	done     Adopted
}

// all writes the files as units, and deletes their keys from waiting. If none can be read, it is an error.
func (a *adoption) all(names []string, waiting map[string]bool) error {
	// Each file is committed by itself, so that Adopt can be repeated after a crash.
	for _, name := range names {
		key, err := a.file(name)
		delete(waiting, key)
		if err != nil {
			return fmt.Errorf("collection: adopt %s: %w", a.from.Path(name), err)
		}
	}
	if len(a.refused) == len(names) {
		return fmt.Errorf("collection: adopt %w", errors.Join(a.refused...))
	}
	return nil
}

// fileOf returns the name of a file for a unit's input. A local file has its absolute path without links, because the
// same relative path from another folder is another file.
func (a *adoption) fileOf(name string) string {
	if name = a.from.Path(name); !blob.IsRemote(name) {
		name = a.paths.Real("", name)
	}
	return schemas.NameOf(name)
}

// earlier returns the key of a unit with the same documents, formats and rules, read from a file outside of this
// folder. Then the folder was moved, copied, or named otherwise. It also returns the units that the new one replaces.
func (a *adoption) earlier(key string, in schemas.Range) (same string, replaced []string) {
	for _, old := range slices.Sorted(maps.Keys(a.here)) {
		r := a.here[old]
		if old == key || !r.IsAdopted() {
			continue
		}
		switch was := r.Inputs[0]; {
		case was.File == in.File:
			replaced = append(replaced, old)
		// Another file of this folder stays, whatever it holds, and so does a copy elsewhere. One unit is one file.
		case was.Fingerprint != in.Fingerprint || a.files[was.File] || a.used[old] || a.stands(was, in):
		// Other formats, or rules of an earlier version.
		case old != a.keyOf(was):
			a.used[old], replaced = true, append(replaced, old)
		case same == "":
			same = old
		}
	}
	a.used[same] = true
	return same, replaced
}

// hashPrefix begins the fingerprint of a file.
const hashPrefix = "sha256:"

// keyOf returns the key of a file's unit. It depends on bytes and formats: a file that changed, or is wanted in another
// format, is another unit.
func (a *adoption) keyOf(in schemas.Range) string {
	sum := strings.TrimPrefix(in.Fingerprint, hashPrefix)
	u := schemas.Unit{Inputs: []schemas.Range{in}}
	return ledger.Key(u, []string{"adopt with columns", sum, strings.Join(a.o.Formats, ",")}, ledger.Version)
}

// stands reports whether the file of an earlier unit is still there, and is not the one of in under another name.
func (a *adoption) stands(was, in schemas.Range) bool {
	if blob.IsRemote(was.File) {
		return true
	}
	name := a.paths.Real("", schemas.PathOf(was.File))
	_, err := os.Lstat(name)
	return err == nil && schemas.NameOf(name) != in.File
}

// file writes one file as a unit, if it is new. It returns the key of the unit with the file's documents.
func (a *adoption) file(name string) (key string, err error) {
	// The file is read twice: the key must be known before anything is written.
	size, sum, err := ledger.HashFile(a.from, name)
	if err != nil {
		return "", err
	}
	s := schemas.Shard{Name: name, Bytes: size, SHA256: sum}
	in := schemas.Range{File: a.fileOf(name), End: size, Fingerprint: hashPrefix + sum}
	u := schemas.Unit{Inputs: []schemas.Range{in}}
	key = a.keyOf(in)
	same, replaced := a.earlier(key, in)
	_, done, err := shard.Committed(a.to, u, key, nil)
	switch {
	case err != nil:
		return key, err
	case done:
	case same != "":
		key = same
	default:
		// The earlier unit of a file that is refused stays.
		if read, err := a.unit(u, key, s); err != nil || !read {
			return key, err
		}
	}
	for _, old := range replaced {
		a.replaced[old] = true
	}
	return key, nil
}

// unit writes the documents of a file. It reports whether all could be read.
func (a *adoption) unit(u schemas.Unit, key string, s schemas.Shard) (read bool, err error) {
	w, err := shard.NewWriter(a.to, u, key, a.o)
	if err != nil {
		return false, err
	}
	defer w.Abort()
	in, before := u.Inputs[0], a.done
	var counts schemas.Counts
	// Reading JSON lines ends with an error if their bytes do not have the hash, so a file that changes meanwhile is
	// refused.
	for d, err := range documentsOf(a.ctx, a.from, s) {
		if err != nil {
			a.done = before
			a.refused = append(a.refused, fmt.Errorf("%s: %w", a.from.Path(s.Name), err))
			return false, a.ctx.Err()
		}
		counts.Captures++
		// Pages that were taken down must not come back through Adopt.
		if a.list.Has(d.URL) {
			counts.TakenDown++
			continue
		}
		holdings.Complete(d, in.File, counts.Captures)
		a.date(d)
		counts.Document(d)
		if err := errors.Join(w.Document(d), w.CDX(LineOf(d))); err != nil {
			return false, err
		}
	}
	w.SetInput(0, in.Fingerprint, 0)
	_, err = w.Commit(counts, ledger.Note{})
	a.done.Units++
	return true, err
}

// date writes the timestamp in UTC as RFC 3339. Without a zone it is in UTC already.
func (a *adoption) date(d *schemas.Document) {
	if d.Timestamp == "" {
		return
	}
	t, ok := timeOf(d.Timestamp)
	if !ok {
		a.done.Undated++
		a.done.Example = cmp.Or(a.done.Example, d.Timestamp)
		d.Timestamp = ""
		if !slices.Contains(d.Flags, schemas.FlagTimestamp) {
			d.Flags = append(d.Flags, schemas.FlagTimestamp)
		}
		return
	}
	d.Timestamp = t.Format(time.RFC3339Nano)
}

// timeOf parses a timestamp of another program: a date as in filters, or as pandas, databases and Spark write a moment.
func timeOf(s string) (time.Time, bool) {
	s = strings.TrimSpace(strings.TrimSuffix(s, " UTC"))
	if day, clock, ok := strings.Cut(s, " "); ok {
		s = day + "T" + clock
	}
	if t, err := time.Parse("2006-01-02T15:04:05Z0700", s); err == nil {
		s = t.Format(time.RFC3339Nano)
	}
	// Ten digits are an hour of an index, but also the seconds of Unix.
	if len(s) == len("1772620200") && !strings.Contains(s, "-") {
		return time.Time{}, false
	}
	t, _, err := query.Period(s)
	return t, err == nil
}

// documentsOf reads a file of documents of any name.
func documentsOf(ctx context.Context, f folder.Folder, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return holdings.Each(ctx, []schemas.Shard{s}, func(s schemas.Shard) iter.Seq2[*schemas.Document, error] {
		// The extension decides: names that other programs give contain no key.
		if strings.HasSuffix(s.Name, holdings.ExtParquet) {
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
