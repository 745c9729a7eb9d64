package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Writer writes captures in one format. The same captures and options make the same files. It is not safe for
// concurrent use.
type Writer interface {
	// Write writes a capture and keeps nothing of it. When the error is of kind ErrRefused, nothing of this capture was
	// written and the next one can be: the caller makes a reject of it. Any other error is final.
	Write(c *schemas.Capture) error
	// Drops says what the format could not carry, by the names of fields in a document (or what they were changed to),
	// and of how many captures. It is the caller's.
	Drops() map[string]int64
	// Close ends the file that is being written, when there is one. Without it, that file is not there.
	Close() error
}

// Tree is a Writer of files that are named after captures alone. What several such writers make can be put in one
// folder, where a later file takes the place of an earlier one of its name. Files of other writers are numbered, or
// refer to each other, so files of two writers cannot be mixed.
type Tree interface {
	Writer
	Tree()
}

// RecordWriter is a Writer that also writes records that are not captures. A type that it cannot write is counted by
// Drops, under [schemas.Record.Name].
type RecordWriter interface {
	Writer
	WriteRecord(r *schemas.Record) error
}

// ErrRefused is the kind of errors about a capture that a format cannot hold.
var ErrRefused = errors.New("this format cannot hold the capture")

// ErrNoPage is the kind of errors of kind ErrRefused about a capture that is not a page of the web, such as a crawler's
// note of a host's addresses (dns:). A format of pages leaves it out, which is not a loss.
var ErrNoPage = fmt.Errorf("%w: it is no page of the web", ErrRefused)

// CheckPage returns an error of kind ErrNoPage about a URL that is not one of http or https. A capture without a URL
// may be a page.
func CheckPage(url string) error {
	scheme, _, _ := strings.Cut(url[:min(len(url), len("https:"))], ":")
	if url == "" || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") {
		return nil
	}
	return fmt.Errorf("%w: %.80q", ErrNoPage, url)
}

// WriteOptions are what formats that are written can be asked for; each takes those that mean something to it. The zero
// value takes a format's defaults.
type WriteOptions struct {
	Compress  Switch // zlib or gzip, as the format has it
	HashNames bool   // names of files are hashes of URLs
	// HTTP messages get the status line that some crawlers leave out; 200 where it is not known
	StatusLine   bool
	MaxFileBytes int64          // of rolling files
	PadDates     bool           // folders of dates have names of two digits: 2009/01/05 instead of 2009/1/5
	Zone         *time.Location // of the dates of such folders; UTC
	Stamp        time.Time      // goes into the names of rolling files, and into records about the writing itself
	Zstd         bool           // in place of gzip, where a format has both
	WARC10       bool           // WARC/1.0 in place of 1.1
	Revisits     bool           // a payload that was written before is referred to, where a format can
}

// Switch is on, off, or as the format has it when nobody says.
type Switch uint8

// The values of a Switch.
const (
	Default Switch = iota
	On
	Off
)

// Or is whether the switch is on, or usual when it is the default.
func (s Switch) Or(usual bool) bool { return s == On || s == Default && usual }

// Sink takes the files that a writer makes.
type Sink interface {
	// Create begins a file. Its name is relative, with slashes. A name that cannot be had is of kind ErrRefused.
	Create(name string) (Output, error)
}

// Output is a file in the making: it is there, whole, when Close has returned nil, in place of another of this name;
// and after Abort it is not.
type Output interface {
	io.WriteCloser
	Abort()
}

// maxName is how long the name of a file can be in the file systems of Linux, macOS and Windows, in bytes (or more).
const maxName = 255

// CheckName reports whether a file can have this name in a folder: relative, with no way out, and each part not too
// long.
func CheckName(name string) error {
	// ValidPath knows no backslash and no zero byte; on some systems these are a separator and an end.
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

// Folder is a Sink in a local folder. Close it.
type Folder struct{ root *os.Root }

// OpenFolder returns a sink in the folder dir, which it makes where there is none. Names cannot lead out of it, by
// links either.
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

// Create begins a file under a hidden temporary name in the folder that it will be in.
func (f *Folder) Create(name string) (Output, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	dir := path.Dir(name)
	if err := f.root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	// Two writers of one process, or a process that was killed, may have the name already: the next number is
	// tried.
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

// output is a file of a Folder.
type output struct {
	*os.File
	root       *os.Root
	temp, name string
}

// Close gives the file its name.
func (o *output) Close() error {
	// Renamed only when Close has told that all was written.
	err := o.File.Close()
	if err == nil {
		err = o.root.Rename(o.temp, o.name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("codec: %w", err), o.root.Remove(o.temp))
	}
	return nil
}

// Abort removes the file. A failure does not matter: the remaining file is hidden, and is not a file of the format.
func (o *output) Abort() {
	_ = o.File.Close()
	_ = o.root.Remove(o.temp)
}
