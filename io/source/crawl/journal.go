package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
)

// Replay calls see with the answers of all journals after the one called after, in order. It truncates an open file
// after its last complete answer; writing continues there.
func (s *Shelf) Replay(after string, see func(Answer)) error {
	names, err := s.Journals(after)
	if err != nil {
		return err
	}
	for i, name := range names {
		// An earlier file is left if it could not be ended. Its content is complete.
		if s.left != nil {
			if err := s.End(); err != nil {
				return err
			}
		}
		if err := s.replay(name, see); err != nil {
			return fmt.Errorf("%s: %w", s.Path(names[i]), err)
		}
	}
	return nil
}

func (s *Shelf) replay(name string, see func(Answer)) error {
	path := s.Path(name)
	// An ended file is read only.
	file, err := os.Open(path)
	if err == nil {
		_, err = readFile(file, see)
		return errors.Join(err, file.Close())
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// It still has the suffix of an open file: it is read, truncated and continued.
	if file, err = os.OpenFile(path+openSuffix, os.O_RDWR, 0); err != nil {
		return err
	}
	whole, err := readFile(file, see)
	if err == nil && whole == 0 {
		// Not even its first record is complete.
		return errors.Join(file.Close(), os.Remove(path+openSuffix))
	}
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	stamp, bad := time.Parse(stampForm, journalName().FindStringSubmatch(name)[1])
	// The writer must continue with the stamp of the first record, which is in the name.
	if err = errors.Join(err, bad); err != nil {
		return errors.Join(err, file.Close())
	}
	// With begun the writer's warcinfo record is dropped, because the file has one.
	s.left = &openFile{File: file, path: path, shelf: s, size: whole, stamp: stamp, begun: true}
	return nil
}

// maxHead limits the head of an answer, in bytes.
const maxHead = 1 << 20

func readFile(file *os.File, see func(Answer)) (whole int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return readJournal(file, info.Size(), see)
}

// readJournal calls see with the answers of a file. It returns the offset up to which the file is complete: after the
// last answer with its request, or after a fault.
func readJournal(src io.ReaderAt, size int64, see func(Answer)) (whole int64, err error) {
	if size == 0 {
		return 0, nil
	}
	// The rest of a longer block was archived but never examined (see Answer.of).
	r, err := warc.NewReader(src, size, record.Options{MaxBlock: maxBody + maxHead})
	if err != nil {
		return 0, err
	}
	var waiting *Answer // a response whose request follows
	for {
		// The first loss ends a journal, because answers must not be applied out of sequence.
		rec, loss, err := r.Step()
		switch {
		case err == io.EOF, loss != nil:
			return whole, nil // data after a loss is incomplete
		case err != nil:
			return whole, err
		// Other packages, or an interrupted write, made an odd record.
		case len(rec.Flags) > 0:
			return whole, nil
		}
		end := rec.Offset + rec.Length
		switch kind := warc.Type(&rec.Head); kind {
		case "warcinfo":
			whole = end
		case "response", "revisit":
			// nil for a record that is not HTTP, whose request is then skipped.
			waiting = answerOf(rec)
		case "request":
			// Applied only with its request: after a crash between the two, the URL is requested again.
			if waiting != nil {
				see(*waiting)
				waiting, whole = nil, end
			}
		case "metadata":
			if a := faultOf(rec); a != nil {
				see(*a)
			}
			whole = end
		}
	}
}

// head returns the values that all records of an answer have.
func head(rec *record.Record) Answer {
	at, _, _ := warc.ParseDate(string(rec.Head.Get("WARC-Date"))) // an invalid time is zero
	return Answer{URL: string(rec.Head.Get("WARC-Target-URI")), Time: at, Ended: at}
}

func answerOf(rec *record.Record) *Answer {
	a := head(rec)
	a.Size = rec.Size
	a.Truncated = string(rec.Head.Get("WARC-Truncated"))
	m := rec.HTTP()
	if m == nil {
		return nil
	}
	split := len(rec.Block) - len(m.Body)
	// Only the part that the crawl examined, so that both decide the same.
	body := rec.Block[split:min(len(rec.Block), split+maxBody)]
	// Cloned, because the reader reuses the block.
	a.Capture = captureOf(a.URL, a.Time, bytes.Clone(rec.Block[:split]), bytes.Clone(body))
	return &a
}

// faultOf returns the fault in a metadata record, or nil.
func faultOf(rec *record.Record) *Answer {
	// It is the only field of the record.
	name, value, _ := bytes.Cut(bytes.TrimSpace(rec.Block), []byte(": "))
	if string(name) != faultField {
		return nil
	}
	a := head(rec)
	a.Fault = string(value)
	return &a
}
