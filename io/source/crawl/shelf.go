package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Shelf is a local folder of WARC files by crawls: the journal, and afterwards an ordinary archive.
//
//	gleaner-20261101000000-00000.warc.gz        complete; named by the time of its first record
//	gleaner-20261102000000-00000.warc.gz.open   being written, or left by a killed process
//	book.jsonl.zst                              see Book
//	.collection                                 the collection that they belong to
//
// Records are in the file when Exchange and Fault return. If the machine fails, and not only the process, those of the
// open file may be lost.
type Shelf struct {
	f     folder.Folder
	dir   string
	lock  io.Closer
	limit int64        // size at which a file is full, in bytes
	w     *warc.Writer // of the open file; nil between files
	out   *openFile
	left  *openFile // file of a killed process, until it is written to
	last  time.Time // newest time in a file's name
}

// Journals skips these names, because journalName matches from beginning to end.
const (
	bookFile   = "book.jsonl.zst"
	lockFile   = ".lock"
	openSuffix = ".open"
	stampForm  = "20060102150405"
)

// The last number is the WARC writer's count of files, always 00000, because each file has its own writer (see ready).
var journalName = pattern.Lazy(`^gleaner-([0-9]{14})-[0-9]{5}\.warc\.gz$`)

// OpenShelf opens or creates the local folder dir, and excludes other crawls until Close. A file is full at limit
// bytes.
func OpenShelf(f folder.Folder, dir string, limit int64) (*Shelf, error) {
	if err := f.Make(""); err != nil {
		return nil, err
	}
	// Locked first: temporary files of a running crawl are not leftovers.
	lock, err := f.Lock(lockFile)
	if err != nil {
		return nil, err
	}
	s := &Shelf{f: f, dir: dir, lock: lock, limit: limit}
	names, err := s.Journals("")
	// Left by a process that was killed while it wrote the book.
	if err = errors.Join(err, f.RemoveAll("."+bookFile+".tmp-*")); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	for _, name := range names {
		// The names match, so they have a time.
		if at, err := time.Parse(stampForm, journalName().FindStringSubmatch(name)[1]); err == nil {
			// Names ascend, so the last one is the newest.
			s.last = at
		}
	}
	return s, nil
}

// Book reads the shelf's book.
func (s *Shelf) Book() (*Book, error) { return BookIn(s.f) }

// BookIn reads the book of a shelf that need not be open or exist: then the book is empty.
func BookIn(f folder.Folder) (*Book, error) { return readBook(f, bookFile) }

// WriteBook replaces the book.
func (s *Shelf) WriteBook(b *Book) error { return writeBook(s.f, bookFile, b) }

// OwnerFile is the file that names the collection of a shelf.
const OwnerFile = ".collection"

// OwnerIn returns the name of the collection of a shelf, or "" if it is unknown.
func OwnerIn(f folder.Folder) (name string, err error) {
	in, err := f.Open(OwnerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(in, maxOwner))
	return string(bytes.TrimSpace(data)), errors.Join(err, in.Close())
}

// maxOwner limits the name of a collection, in bytes: paths have at most 4,096.
const maxOwner = 64 << 10

// SetOwner sets the name of the shelf's collection.
func (s *Shelf) SetOwner(name string) error { return s.f.Write(OwnerFile, []byte(name+"\n")) }

// Journals returns the names of the files after the one called after, ascending, without the suffix of an open file.
func (s *Shelf) Journals(after string) (list []string, err error) {
	names, err := s.f.Names("")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		// An open file counts by its final name, so that ending it does not change the order.
		name = strings.TrimSuffix(name, openSuffix)
		if journalName().MatchString(name) && name > after {
			list = append(list, name)
		}
	}
	return list, nil
}

// Path returns the path of a journal, for readers of archives.
func (s *Shelf) Path(name string) string { return filepath.Join(s.dir, name) }

// Exchange writes a request and its answer.
func (s *Shelf) Exchange(x *fetch.Exchange, n Note) error {
	if err := s.ready(x.Time); err != nil {
		return err
	}
	_, err := s.w.WriteExchange(warc.Exchange{
		// The response precedes its request: for readJournal the request marks the answer as complete.
		URL: x.URL, Time: x.Time, IP: x.IP, Request: x.Request, Head: x.Head, Status: x.Status, Body: x.Body.Open(),
		Size: x.Body.Size(), SHA1: x.Body.SHA1(), Truncated: x.Body.Truncated, RefersTo: n.RefersTo,
		Published: n.Published,
	})
	return s.written(err)
}

// Fault writes a request without an answer.
func (s *Shelf) Fault(url string, at time.Time, fault string) error {
	if err := s.ready(at); err != nil {
		return err
	}
	_, err := s.w.WriteMetadata(url, at, []schemas.Field{{Name: faultField, Value: fault}})
	return s.written(err)
}

// faultField is the field of a metadata record with the fault.
const faultField = "fetchFault"

// ready ensures that a file is open, for a record of that time.
func (s *Shelf) ready(at time.Time) error {
	if s.w != nil {
		return nil
	}
	if s.left != nil {
		// The file's name and warcinfo record have that time.
		at = s.left.stamp
	} else if at = at.UTC().Truncate(time.Second); !at.After(s.last) {
		// Names ascend, whatever clocks do.
		at = s.last.Add(time.Second)
	}
	s.last = at
	// A writer for each file, so that files are independent. It must not begin others by itself.
	s.w = warc.NewWriter(s, dump.WriteOptions{Stamp: at, Compress: dump.On, MaxFileBytes: 1 << 62})
	return nil
}

// written ends a full file.
func (s *Shelf) written(err error) error {
	if err != nil {
		// The writer has dropped the file, which stays open for the next process to truncate.
		s.w, s.out = nil, nil
		return err
	}
	if s.out != nil && s.out.size >= s.limit {
		// Only after a complete record, so that exchanges are not divided.
		return s.End()
	}
	return nil
}

// End gives the open file its name, if there is one.
func (s *Shelf) End() error {
	if s.w == nil && s.left == nil {
		return nil
	}
	if s.w == nil {
		// A replayed file without new records is complete.
		out := s.left
		s.left = nil
		return out.Close()
	}
	w := s.w
	s.w, s.out = nil, nil
	return w.Close()
}

// Close lets other crawls write. A file that was not ended stays open, to be continued.
func (s *Shelf) Close() error {
	if s.w != nil {
		// The next process continues the file, so that interrupted rounds do not leave many small files.
		s.w.Abort()
		s.w, s.out = nil, nil
	}
	if s.left != nil {
		s.left.Abort()
		s.left = nil
	}
	return s.lock.Close()
}

// Create begins a file, or continues the one that was left. It is for the writer.
func (s *Shelf) Create(name string) (dump.Output, error) {
	if s.left != nil {
		s.out, s.left = s.left, nil
		return s.out, nil
	}
	path := s.Path(name)
	// O_EXCL only protects the open file; Close would rename over an ended one.
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("crawl: %s is there already: %w", path, err)
	}
	file, err := os.OpenFile(path+openSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("crawl: %w", err)
	}
	s.out = &openFile{File: file, path: path, shelf: s}
	return s.out, nil
}

// openFile is a journal that is being written.
type openFile struct {
	*os.File
	path  string // without the suffix
	shelf *Shelf
	size  int64
	stamp time.Time // of a continued file
	begun bool      // it has a warcinfo record, so that of the writer, its first call, is dropped
}

// Write appends.
func (o *openFile) Write(b []byte) (int, error) {
	// The warcinfo record is dropped, because the file has one.
	if o.begun {
		o.begun = false
		return len(b), nil
	}
	n, err := o.File.Write(b)
	o.size += int64(n)
	return n, err
}

// Close makes the file durable and gives it its name.
func (o *openFile) Close() error {
	// Synced before and after the rename: a name without the suffix promises a complete file even if the machine fails.
	err := errors.Join(o.Sync(), o.File.Close())
	if err == nil {
		err = os.Rename(o.path+openSuffix, o.path)
	}
	if err == nil {
		err = o.shelf.f.Sync("")
	}
	if err != nil {
		return fmt.Errorf("crawl: %w", err)
	}
	return nil
}

// Abort leaves the file as it is, for the next process.
func (o *openFile) Abort() { _ = o.File.Close() }
