// Package harvest keeps the folder of WARC files that a live crawl writes: the exchanges of package fetch, as records.
//
//	gleaner-20261123220000-00000.warc.gz        complete: it is not written to any more
//	gleaner-20261123220000-00001.warc.gz.open   being written; it ends with a complete record except during a write
//
// A killed process loses only the exchange that it was writing: [Open] cuts the last file there and gives it its name.
// Readers of the folder use the files whose names end with .gz.
//
//	h, err := harvest.Open("crawl", harvest.Options{Stamp: clock.Now()})
//	defer h.Close()
//	place, err := h.Write(x, harvest.Note{})
//
// The same exchanges in the same order with the same stamp make the same bytes.
package harvest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Options are the options of a folder. The zero value is usable.
type Options struct {
	Stamp        time.Time // start of the crawl, for file names; if a name is taken, the stamp becomes a second later
	MaxFileBytes int64     // a file is full at this size [1,000,000,000]; the exchange that exceeds it is its last
	// Revisits writes a revisit record for a payload that this Harvest has written before.
	Revisits bool
}

// Note is a crawl's knowledge of an exchange besides the transferred bytes.
type Note struct {
	// RefersTo is the capture that an answer with status 304 confirms as current.
	RefersTo *schemas.Reference
	// Metadata are the fields of an additional metadata record, such as "via". Without fields no record is written.
	Metadata []schemas.Field
}

// Harvest is a folder that is being written. Its methods are safe for concurrent use.
type Harvest struct {
	mu     sync.Mutex
	sink   *sink
	writer *warc.Writer
	lock   io.Closer
}

// Open opens the folder dir, makes it if needed, and mends the files of a killed process. It returns folder.ErrBusy if
// another process has the folder open.
func Open(dir string, o Options) (*Harvest, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("harvest: %w", err)
	}
	lock, err := folder.Open(context.Background(), dir, nil).Lock(lockName)
	if err != nil {
		return nil, fmt.Errorf("harvest: %s: %w", dir, err)
	}
	h := &Harvest{sink: &sink{dir: dir}, lock: lock}
	stamp := o.Stamp
	// Mending needs the lock: a file that ends with .open may belong to a live process.
	err = mendAll(dir)
	if err == nil {
		stamp, err = freeStamp(dir, stamp)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	h.writer = warc.NewWriter(h.sink, dump.WriteOptions{
		Stamp: stamp, MaxFileBytes: o.MaxFileBytes, Revisits: o.Revisits,
	})
	return h, nil
}

// Mend gives the files that a killed process left open their names, as Open does. It is for a run that finds everything
// done and fetches nothing. A missing folder needs no mending.
func Mend(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	h, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	return h.Close()
}

// Dir returns the folder.
func (h *Harvest) Dir() string { return h.sink.dir }

// Write writes an exchange, and returns the place of its response. It does not close the exchange. When Write returns,
// the exchange survives the end of the process; only Close makes it survive a crash of the machine.
func (h *Harvest) Write(x *fetch.Exchange, n Note) (warc.Place, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	meta := n.Metadata
	if x.Attempts > 1 {
		// The capacity limit makes append copy: exchanges may share the caller's slice.
		meta = append(meta[:len(meta):len(meta)], schemas.Field{Name: "attempts", Value: strconv.Itoa(x.Attempts)})
	}
	place, err := h.writer.WriteExchange(warc.Exchange{
		URL: x.URL, Time: x.Time, IP: x.IP, Request: x.Request, Head: x.Head, Status: x.Status, Body: x.Body.Open(),
		Size: x.Body.Size(), SHA1: x.Body.SHA1(), Truncated: x.Body.Truncated, RefersTo: n.RefersTo, Metadata: meta,
	})
	if err != nil {
		return place, fmt.Errorf("harvest: %w", err)
	}
	// From here on Abort and a later mend keep the exchange, with its request and metadata.
	h.sink.out.whole()
	return place, nil
}

// Close gives the last file its name.
func (h *Harvest) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	// The lock goes last: nobody else may mend the file while it is being sealed.
	return errors.Join(h.writer.Close(), h.lock.Close())
}

// lockName is the file in the folder that one process locks.
const lockName = ".lock"

// freeStamp returns stamp, or the next later one that no file of the folder has. A crawl that restarts with the same
// clock must not overwrite its earlier files.
func freeStamp(dir string, stamp time.Time) (time.Time, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return stamp, fmt.Errorf("harvest: %w", err)
	}
	for {
		// Open files have the stamp too, though mendAll has left none.
		prefix := "gleaner-" + stamp.UTC().Format("20060102150405") + "-"
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), prefix) }) {
			return stamp, nil
		}
		stamp = stamp.Add(time.Second)
	}
}
