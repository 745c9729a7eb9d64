// Package harvest keeps the folder of WARC files that a live crawl writes: what package fetch brought home, as records.
//
//	gleaner-20261123220000-00000.warc.gz        whole: it is not written to any more
//	gleaner-20261123220000-00001.warc.gz.open   being written; it ends with a whole record at any time but during a write
//
// A process that is killed loses the exchange that it was writing and nothing else: [Open] cuts the last file there and
// gives it its name. Who reads the folder for captures takes the files whose names end with .gz.
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

// Options of a folder. The zero value is of use.
type Options struct {
	Stamp        time.Time // when the crawl began: it is in the files' names; a name that is taken makes it a second later
	MaxFileBytes int64     // a file is full at [1,000,000,000]; the exchange that goes beyond is its last
	// Revisits has a payload that this Harvest wrote before referred to, in place of written again.
	Revisits bool
}

// Note is what a crawl knows of an exchange beside what was sent and received.
type Note struct {
	// RefersTo is the capture that an answer of status 304 says is still what it was.
	RefersTo *schemas.Reference
	// Metadata are the fields of a record beside the others, such as "via": none is written when there are none.
	Metadata []schemas.Field
}

// Harvest is a folder that is being written. Its methods may be called by several goroutines at the same time.
type Harvest struct {
	mu     sync.Mutex
	sink   *sink
	writer *warc.Writer
	lock   io.Closer
}

// Open opens the folder dir, which it makes if need be, and mends what a process that was killed has left.
// The error is folder.ErrBusy when another process has it open.
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
	// Only under the lock: a file that ends with .open may be another process's that is alive.
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

// Mend gives the files that a killed process has left open their names, as Open does: for a run that finds all done and
// fetches nothing. A folder that is not there is none to mend.
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

// Dir is the folder.
func (h *Harvest) Dir() string { return h.sink.dir }

// Write writes an exchange, and says where its response stands. It does not close it. When Write returns, the exchange
// survives the end of the process, though not that of the machine, which Close is for.
func (h *Harvest) Write(x *fetch.Exchange, n Note) (warc.Place, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	meta := n.Metadata
	if x.Attempts > 1 {
		// The bound of the capacity has append copy: the caller's slice may be shared between
		// exchanges.
		meta = append(meta[:len(meta):len(meta)], schemas.Field{Name: "attempts", Value: strconv.Itoa(x.Attempts)})
	}
	place, err := h.writer.WriteExchange(warc.Exchange{
		URL: x.URL, Time: x.Time, IP: x.IP, Request: x.Request, Head: x.Head, Status: x.Status, Body: x.Body.Open(),
		Size: x.Body.Size(), SHA1: x.Body.SHA1(), Truncated: x.Body.Truncated, RefersTo: n.RefersTo, Metadata: meta,
	})
	if err != nil {
		return place, fmt.Errorf("harvest: %w", err)
	}
	// Only now is the exchange, with its request and metadata, part of what Abort and a later mend
	// would keep.
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

// lockName is a file of the folder that one process has locked.
const lockName = ".lock"

// freeStamp is the stamp, or the next that no file of the folder has: a crawl that is started again by the same clock
// must not write over what it wrote before.
func freeStamp(dir string, stamp time.Time) (time.Time, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return stamp, fmt.Errorf("harvest: %w", err)
	}
	for {
		// Files that are open have it as well, though mendAll has left none of these.
		prefix := "gleaner-" + stamp.UTC().Format("20060102150405") + "-"
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), prefix) }) {
			return stamp, nil
		}
		stamp = stamp.Add(time.Second)
	}
}
