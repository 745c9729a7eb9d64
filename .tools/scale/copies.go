package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
)

// copyFileBytes is the size of the written files, that of a unit.
const copyFileBytes = 64e6

// copies writes each capture of WARC files n times to files of 64 MB. Copies differ in URL and payload, so that nothing
// is a duplicate.
func copies(archives, dir string, n int) error {
	names, err := filepath.Glob(filepath.Join(archives, "*.warc*"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no WARC files in %s: %w", archives, err)
	}
	sink, err := dump.OpenFolder(dir)
	if err != nil {
		return err
	}
	// A fixed time makes the same files each time.
	w := warc.NewWriter(sink, dump.WriteOptions{MaxFileBytes: copyFileBytes, Stamp: time.Unix(1764460800, 0)})
	var payloads int64
	for i := range n {
		for _, name := range names {
			size, err := copyCaptures(w, name, i)
			if err != nil {
				return errors.Join(err, w.Close(), sink.Close())
			}
			payloads += size
		}
	}
	fmt.Println(payloads, "bytes of payloads")
	return errors.Join(w.Close(), sink.Close())
}

// copyCaptures writes the captures of an archive with other URLs and payloads.
func copyCaptures(w *warc.Writer, name string, number int) (payloads int64, err error) {
	f, err := archive.OpenFile(name, archive.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for c, err := range f.Captures() {
		if err != nil {
			return 0, err
		}
		c.URL, c.RecordID, c.Digest = fmt.Sprintf("%s?copy=%d", c.URL, number), "", ""
		c.Body = fmt.Appendf(slices.Clip(c.Body), "<!-- %d -->", number)
		if err := w.Write(c); err != nil {
			return 0, err
		}
		payloads += int64(len(c.Body))
	}
	return payloads, nil
}
