package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Writer writes captures in one format. The same captures and options give the same files. It is not safe for
// concurrent use.
type Writer interface {
	// Write writes a capture and keeps nothing of it. An error of kind ErrRefused means that nothing of this capture
	// was written and the writer remains usable: the caller makes a reject. Any other error is final.
	Write(c *schemas.Capture) error
	// Drops returns what the format could not hold: the number of captures, by names of a document's fields (or what
	// they were changed to). The map belongs to the caller.
	Drops() map[string]int64
	// Close finishes the current file, if any. Without Close, that file does not exist.
	Close() error
}

// Tree is a Writer whose files are named only after captures. Several such writers may share a folder: a later file
// replaces an earlier one of the same name. Files of other writers are numbered or refer to each other, so they cannot
// be mixed.
type Tree interface {
	Writer
	Tree()
}

// RecordWriter is a Writer that also writes records which are not captures. Drops counts types that it cannot write,
// under [schemas.Record.Name].
type RecordWriter interface {
	Writer
	WriteRecord(r *schemas.Record) error
}

// ErrRefused is the kind of errors for captures that a format cannot hold.
var ErrRefused = errors.New("this format cannot hold the capture")

// ErrNoPage is the kind of ErrRefused for captures that are not web pages, such as a crawler's note of a host's
// addresses (dns:), and revisits. A format of pages omits them, which is not a loss.
var ErrNoPage = fmt.Errorf("%w: it is no page of the web", ErrRefused)

// CheckPage returns an error of kind ErrNoPage as CheckURL or CheckBody does.
func CheckPage(c *schemas.Capture, url string) error {
	if err := CheckURL(url); err != nil {
		return err
	}
	return CheckBody(c)
}

// CheckURL returns an error of kind ErrNoPage if url is not http or https. A capture without a URL may be a page.
func CheckURL(url string) error {
	scheme, _, _ := strings.Cut(url[:min(len(url), len("https:"))], ":")
	if url == "" || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") {
		return nil
	}
	return fmt.Errorf("%w: %.80q", ErrNoPage, url)
}

// CheckBody returns an error of kind ErrNoPage if the archive lacks c's body, or as CheckRepeat does. An empty
// page could replace the real one.
func CheckBody(c *schemas.Capture) error {
	if len(c.Body) == 0 && c.Truncated != "" {
		return fmt.Errorf("%w: its body is not in the archive: %.80q", ErrNoPage, c.URL)
	}
	return CheckRepeat(c)
}

// CheckRepeat returns an error of kind ErrNoPage if c only says that a page has not changed. These are revisits and
// answers with status 304, without a body. In a format of pages it would be an empty page, and could replace the real
// one.
func CheckRepeat(c *schemas.Capture) error {
	if len(c.Body) > 0 || c.RecordType != schemas.TypeRevisit && c.Status != http.StatusNotModified {
		return nil
	}
	return fmt.Errorf("%w: an unchanged page, without a body: %.80q", ErrNoPage, c.URL)
}

// WriteOptions are the options of all written formats; each format uses those that apply to it. The zero value takes a
// format's defaults.
type WriteOptions struct {
	Compress  Switch // zlib or gzip, depending on the format
	HashNames bool   // names of files are hashes of URLs
	// StatusLine adds the status line that some crawlers omit; 200 if unknown.
	StatusLine   bool
	MaxFileBytes int64          // of rolling files
	PadDates     bool           // folders of dates have two-digit names: 2009/01/05 instead of 2009/1/5
	Zone         *time.Location // of dates in folder names; UTC
	Stamp        time.Time      // in names of rolling files, and in records about the writing itself
	Zstd         bool           // instead of gzip, if a format has both
	WARC10       bool           // WARC/1.0 instead of 1.1
	Revisits     bool           // write a reference for a payload that was written before, if a format can
}

// Switch is on, off, or a format's default.
type Switch uint8

// The values of a Switch.
const (
	Default Switch = iota
	On
	Off
)

// Or reports whether the switch is on; usual is the format's default.
func (s Switch) Or(usual bool) bool { return s == On || s == Default && usual }

// Sink takes the files that a writer makes.
type Sink interface {
	// Create begins a file. Its name is relative, with slashes. An impossible name is an error of kind ErrRefused.
	Create(name string) (Output, error)
}

// Output is a file in the making. After Close returns nil it exists, complete, and replaces another of its name. After
// Abort it does not exist.
type Output interface {
	io.WriteCloser
	Abort()
}

// maxName limits a file name in the file systems of Linux, macOS and Windows, in bytes.
const maxName = 255

// CheckName returns an error unless a file in a folder can have this name: relative, not leading out, each part short
// enough.
func CheckName(name string) error {
	// ValidPath accepts backslashes and zero bytes, which some systems treat as separator and end.
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\x00\\") {
		return fmt.Errorf("%w: %.80q is no name of a file", ErrRefused, name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxName {
			return fmt.Errorf("%w: its name has %d bytes, and file systems take %d: %.80q…", ErrRefused, len(part), maxName,
				part)
		}
	}
	return nil
}

// Folder is a Sink in a local folder. The caller closes it.
type Folder struct{ root *os.Root }

// OpenFolder returns a sink in the folder dir, which it creates if needed. Names and links cannot lead out of it.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	return &Folder{root}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Create begins a file under a hidden temporary name in its final folder.
func (f *Folder) Create(name string) (Output, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	dir := path.Dir(name)
	if err := f.root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	// Another writer, or a killed process, may have the name: the next number is tried.
	for n := 0; ; n++ {
		temp := path.Join(dir, fmt.Sprintf(".gleaner-%d-%d.tmp", os.Getpid(), n))
		file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			return &output{File: file, root: f.root, temp: temp, name: name}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("codec: %w", err)
		}
	}
}

type output struct {
	*os.File
	root       *os.Root
	temp, name string
}

// Close gives the file its name.
func (o *output) Close() error {
	// Renamed only after everything was written.
	err := o.File.Close()
	if err == nil {
		err = o.root.Rename(o.temp, o.name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("codec: %w", err), o.root.Remove(o.temp))
	}
	return nil
}

// Abort removes the file. A failure does not matter: the file is hidden and not part of the format.
func (o *output) Abort() {
	_ = o.File.Close()
	_ = o.root.Remove(o.temp)
}
