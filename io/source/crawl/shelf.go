package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Shelf is a local folder of WARC files that crawls write: the journal, and afterwards an archive like any other.
//
//	gleaner-20261101000000-00000.warc.gz        whole; named by the time of its first record
//	gleaner-20261102000000-00000.warc.gz.open   being written, or left by a process that was killed
//	book.jsonl.zst                              see Book
//	.collection                                 which one they are for
//
// Records are in the file when Exchange and Fault return, though a machine that fails, and not only the process, may
// lose those of the open file.
type Shelf struct {
	f     folder.Folder
	dir   string
	lock  io.Closer
	limit int64        // bytes at which a file is full
	w     *warc.Writer // of the open file; nil between files
	out   *openFile
	left  *openFile // the file that a killed process has left, until it is written to
	last  time.Time // the newest in a file's name
}

// Names that no journal can have, so that Journals passes them over: journalName is anchored at both
// ends.
const (
	bookFile   = "book.jsonl.zst"
	lockFile   = ".lock"
	openSuffix = ".open"
	stampForm  = "20060102150405"
)

// The number behind the time is the WARC writer's own count of its files. It is always 00000 here,
// since each file has a writer of its own (see ready).
var journalName = regexp.MustCompile(`^gleaner-([0-9]{14})-[0-9]{5}\.warc\.gz$`)

// OpenShelf opens the local folder dir, or makes it, and keeps other crawls out until Close. A file is full at limit
// bytes.
func OpenShelf(f folder.Folder, dir string, limit int64) (*Shelf, error) {
	if err := f.Make(""); err != nil {
		return nil, err
	}
	// The lock comes before anything is swept: the temporary files of a crawl that runs are not leftovers.
	lock, err := f.Lock(lockFile)
	if err != nil {
		return nil, err
	}
	s := &Shelf{f: f, dir: dir, lock: lock, limit: limit}
	names, err := s.Journals("")
	// What a process has left that was killed while it wrote the book.
	if err = errors.Join(err, f.RemoveAll("."+bookFile+".tmp-*")); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	for _, name := range names {
		// The names were matched, so that they have a time.
		if at, err := time.Parse(stampForm, journalName.FindStringSubmatch(name)[1]); err == nil {
			// The names ascend, so that the last one seen is the newest.
			s.last = at
		}
	}
	return s, nil
}

// Book reads the shelf's book.
func (s *Shelf) Book() (*Book, error) { return BookIn(s.f) }

// BookIn reads the book of a shelf that need not be open, or be there at all: then the book is empty.
func BookIn(f folder.Folder) (*Book, error) { return readBook(f, bookFile) }

// WriteBook replaces it.
func (s *Shelf) WriteBook(b *Book) error { return writeBook(s.f, bookFile, b) }

// OwnerFile is the file that names the collection that the crawls of a shelf are for.
const OwnerFile = ".collection"

// OwnerIn is the name of the collection that the crawls of a shelf are for; "" if it is not known.
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

// maxOwner bounds the name of a collection, in bytes: paths have 4,096 at most.
const maxOwner = 64 << 10

// SetOwner notes it.
func (s *Shelf) SetOwner(name string) error { return s.f.Write(OwnerFile, []byte(name+"\n")) }

// Journals are the names of the files after the one called after, ascending, without the suffix of one that is open.
func (s *Shelf) Journals(after string) (list []string, err error) {
	names, err := s.f.Names("")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		// An open file counts by the name that it will have, so that the order of files does not change when
		// it is ended.
		name = strings.TrimSuffix(name, openSuffix)
		if journalName.MatchString(name) && name > after {
			list = append(list, name)
		}
	}
	return list, nil
}

// Path is the name of a journal for those who read archives.
func (s *Shelf) Path(name string) string { return filepath.Join(s.dir, name) }

// Exchange writes a request and its answer.
func (s *Shelf) Exchange(x *fetch.Exchange, n Note) error {
	if err := s.ready(x.Time); err != nil {
		return err
	}
	_, err := s.w.WriteExchange(warc.Exchange{
		// The response comes before its request in the file: readJournal takes the request for the sign that
		// the answer is whole.
		URL: x.URL, Time: x.Time, IP: x.IP, Request: x.Request, Head: x.Head, Status: x.Status, Body: x.Body.Open(),
		Size: x.Body.Size(), SHA1: x.Body.SHA1(), Truncated: x.Body.Truncated, RefersTo: n.RefersTo,
		Published: n.Published,
	})
	return s.written(err)
}

// Fault writes that a request had no answer.
func (s *Shelf) Fault(url string, at time.Time, fault string) error {
	if err := s.ready(at); err != nil {
		return err
	}
	_, err := s.w.WriteMetadata(url, at, []schemas.Field{{Name: faultField, Value: fault}})
	return s.written(err)
}

// faultField is the field of a metadata record that says why there is no answer.
const faultField = "fetchFault"

// ready sees that a file is open, for a record of that time.
func (s *Shelf) ready(at time.Time) error {
	if s.w != nil {
		return nil
	}
	if s.left != nil {
		// The file has its name already, and its warcinfo record says that time.
		at = s.left.stamp
	} else if at = at.UTC().Truncate(time.Second); !at.After(s.last) {
		// Names ascend, whatever clocks do.
		at = s.last.Add(time.Second)
	}
	s.last = at
	// A writer for each file: what is in one does not depend on those before. It must not begin others by itself.
	s.w = warc.NewWriter(s, dump.WriteOptions{Stamp: at, Compress: dump.On, MaxFileBytes: 1 << 62})
	return nil
}

// written ends a file that is full.
func (s *Shelf) written(err error) error {
	if err != nil {
		// The writer has dropped the file, which stays open for the next process to cut.
		s.w, s.out = nil, nil
		return err
	}
	if s.out != nil && s.out.size >= s.limit {
		// Only after a whole record, so that no exchange is divided between two files.
		return s.End()
	}
	return nil
}

// End gives the open file its name, when there is one.
func (s *Shelf) End() error {
	if s.w == nil && s.left == nil {
		return nil
	}
	if s.w == nil {
		// A file that was replayed and not written to since is whole up to where replay has cut it.
		out := s.left
		s.left = nil
		return out.Close()
	}
	w := s.w
	s.w, s.out = nil, nil
	return w.Close()
}

// Close lets other crawls write. A file that was not ended stays open, and is gone on with.
func (s *Shelf) Close() error {
	if s.w != nil {
		// Not ended: the next process reads it, cuts what is not whole and continues with it, so that a round
		// that is stopped often does not leave many small files.
		s.w.Abort()
		s.w, s.out = nil, nil
	}
	if s.left != nil {
		s.left.Abort()
		s.left = nil
	}
	return s.lock.Close()
}

// Create begins a file, or continues with the one that was left. It is for the writer.
func (s *Shelf) Create(name string) (dump.Output, error) {
	if s.left != nil {
		s.out, s.left = s.left, nil
		return s.out, nil
	}
	path := s.Path(name)
	// The open file is made with O_EXCL, which says nothing of an ended one of the same name: Close would
	// rename over it.
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
	stamp time.Time // of one that is gone on with
	begun bool      // it has its warcinfo record, which the writer will write first, in one call
}

// Write appends.
func (o *openFile) Write(b []byte) (int, error) {
	// The bytes are dropped, not written again: the file has its warcinfo record from the process that
	// began it.
	if o.begun {
		o.begun = false
		return len(b), nil
	}
	n, err := o.File.Write(b)
	o.size += int64(n)
	return n, err
}

// Close gives the file its name, when it is on the disk.
func (o *openFile) Close() error {
	// Synced before the rename, and the folder after it: a name without the suffix promises a file that
	// is whole even after the machine has failed.
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

// Abort leaves the file as it is: what is whole of it is read by the next process.
func (o *openFile) Abort() { _ = o.File.Close() }
