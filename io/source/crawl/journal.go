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

// Replay gives the answers of all journals after the one called after to see, in their sequence. Of a file that was
// left open, what is not whole at its end is cut off, and what is written next goes there.
func (s *Shelf) Replay(after string, see func(Answer)) error {
	names, err := s.Journals(after)
	if err != nil {
		return err
	}
	for i, name := range names {
		// Another one is left when a file could not be ended: it is whole, as far as it was written.
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
	// A file that was ended is read only: it is never written to again, whatever it holds.
	file, err := os.Open(path)
	if err == nil {
		_, err = readFile(file, see)
		return errors.Join(err, file.Close())
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// It has not got its name, so it is the one that was open: it is read, cut and gone on with.
	if file, err = os.OpenFile(path+openSuffix, os.O_RDWR, 0); err != nil {
		return err
	}
	whole, err := readFile(file, see)
	if err == nil && whole == 0 {
		// Not even its first record is whole.
		return errors.Join(file.Close(), os.Remove(path+openSuffix))
	}
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	stamp, bad := time.Parse(stampForm, journalName.FindStringSubmatch(name)[1])
	// The stamp is the first record's, from the name: the writer must give the same one to go on.
	if err = errors.Join(err, bad); err != nil {
		return errors.Join(err, file.Close())
	}
	// begun: the writer writes a warcinfo record first, and the file has one.
	s.left = &openFile{File: file, path: path, shelf: s, size: whole, stamp: stamp, begun: true}
	return nil
}

// maxHead is how long the head of an answer may be beside its body, bytes.
const maxHead = 1 << 20

func readFile(file *os.File, see func(Answer)) (whole int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return readJournal(file, info.Size(), see)
}

// readJournal gives the answers of a file to see, and returns up to where the file is whole: after the last request
// whose answer was written before it, or after a fault.
func readJournal(src io.ReaderAt, size int64, see func(Answer)) (whole int64, err error) {
	if size == 0 {
		return 0, nil
	}
	// Of a longer block the rest is passed over: it was archived, and never looked at (see Answer.of).
	r, err := warc.NewReader(src, size, record.Options{MaxBlock: maxBody + maxHead})
	if err != nil {
		return 0, err
	}
	var waiting *Answer // a response whose request is to come
	for {
		// A journal ends at the first loss, whatever can be read after it: nothing may be applied out of
		// sequence.
		rec, loss, err := r.Step()
		switch {
		case err == io.EOF, loss != nil:
			return whole, nil // what follows a loss is not whole
		case err != nil:
			return whole, err
		// A record that is odd in any way was not written by this package, or not to its end.
		case len(rec.Flags) > 0:
			return whole, nil
		}
		end := rec.Offset + rec.Length
		switch kind := warc.Type(&rec.Head); kind {
		case "warcinfo":
			whole = end
		case "response", "revisit":
			// nil for a record that is not HTTP, whose request is then passed over.
			waiting = answerOf(rec)
		case "request":
			// Applied with its request alone: a process that was killed between the two asks again, which is what
			// it would have done had neither been written.
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

// head is what all records of an answer say.
func head(rec *record.Record) Answer {
	at, _, _ := warc.ParseDate(string(rec.Head.Get("WARC-Date"))) // of a time that cannot be read, the zero time
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
	// As much of the body as the crawl looked at, so that both decide the same: a block may be longer by a head.
	body := rec.Block[split:min(len(rec.Block), split+maxBody)]
	// Cloned, since the reader uses the block again for the next record.
	a.Capture = captureOf(a.URL, a.Time, bytes.Clone(rec.Block[:split]), bytes.Clone(body))
	return &a
}

// faultOf is the fault that a metadata record tells of; nil when it tells something else.
func faultOf(rec *record.Record) *Answer {
	// The field is the only one of the record, as Fault writes it.
	name, value, _ := bytes.Cut(bytes.TrimSpace(rec.Block), []byte(": "))
	if string(name) != faultField {
		return nil
	}
	a := head(rec)
	a.Fault = string(value)
	return &a
}
