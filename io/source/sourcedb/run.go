package sourcedb

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxRecord limits a key and a value of a run, in bytes. The limits of a state allow about 200 KB.
const maxRecord = 1 << 20

// endOfRun is a length after the last record. Without it, a stream of S2 that was truncated between blocks would seem
// complete.
const endOfRun = maxRecord + 1

// errRun means that a run is damaged.
var errRun = errors.New("sourcedb: not as it was written")

// runWriter writes a run: records sorted by key, each as two varints with the lengths, the key and the value, and
// endOfRun at the end. The stream is compressed with S2, which is several times as fast as zstd, for files a quarter
// larger. Each crawl reads and writes all of it.
type runWriter struct {
	f    folder.Folder
	name string // final name; "%s" in it stands for the hash
	temp string
	file folder.File
	hash hash.Hash
	size int64 // of the file so far
	z    *s2.Writer

	block  int        // how much is compressed at a time, in bytes
	chunk  []byte     // records that are not compressed yet
	behind chan chunk // compressed by a goroutine while the next chunk is filled; nil until needed
	free   chan chunk // finished chunks
	before int64      // size of the file without the last chunk: the same on every machine

	// A goroutine syncs the file during writing, so that commit is fast; nil until needed.
	full   chan struct{}
	synced chan error
	fresh  int // bytes since the last request

	passing bool // this run reads and removes the file, which need not survive a machine failure
}

// syncBytes is how much is written between syncs.
const syncBytes = 16 << 20

// chunk is some records, and the result of compressing them.
type chunk struct {
	bytes []byte
	size  int64 // of the file, including it
	err   error
}

// Sizes of blocks in bytes. A block has complete records, and exceeds this only for a longer record. A reader holds two
// blocks.
const (
	wideBlock = 1 << 20
	// partBlock is for parts, about a hundred of which are read in parallel for a crawl.
	partBlock = 64 << 10
)

func newRun(f folder.Folder, name string, block int) (*runWriter, error) {
	w, err := newPlain(f, name)
	if err != nil {
		return nil, err
	}
	// Not concurrent, because turn uses its own goroutine.
	w.z, w.block = s2.NewWriter(w, s2.WriterConcurrency(1), s2.WriterBlockSize(block)), block
	return w, nil
}

// newPlain begins a file that is written by Write alone: sources and links are JSON, compressed by their own writer.
func newPlain(f folder.Folder, name string) (*runWriter, error) {
	// The final name has the hash, known at the end; until then it is hidden.
	w := &runWriter{f: f, name: name, temp: hidden("run.tmp-" + folder.Unique()), hash: sha256.New()}
	file, err := f.Create(w.temp)
	w.file = file
	return w, err
}

// Write takes the compressor's output.
func (w *runWriter) Write(p []byte) (int, error) {
	w.hash.Write(p)
	w.size += int64(len(p))
	n, err := w.file.Write(p)
	if w.fresh += n; w.fresh >= syncBytes && !w.passing {
		w.fresh = 0
		w.flush()
	}
	return n, err
}

// flush starts syncing the written data.
func (w *runWriter) flush() {
	if w.full == nil {
		w.full, w.synced = make(chan struct{}, 1), make(chan error, 1)
		go func() {
			var err error
			for range w.full {
				err = errors.Join(err, w.file.Sync())
			}
			w.synced <- err
		}()
	}
	select {
	case w.full <- struct{}{}:
	default: // a sync is already requested
	}
}

// flushed waits until all of that is done.
func (w *runWriter) flushed() error {
	if w.full == nil {
		return nil
	}
	close(w.full)
	w.full = nil
	return <-w.synced
}

func (w *runWriter) add(key, value []byte) error {
	if most := 2*binary.MaxVarintLen32 + len(key) + len(value); len(w.chunk) > 0 && len(w.chunk)+most > w.block {
		if err := w.turn(); err != nil {
			return err
		}
	}
	// The lengths first, so that a reader can refuse too long records.
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(key)))
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(value)))
	w.chunk = append(append(w.chunk, key...), value...)
	return nil
}

// turn passes the chunk to the compressor, and takes back an earlier one.
func (w *runWriter) turn() error {
	if w.behind == nil {
		// A run of one chunk, as nearly all parts are, needs no goroutine.
		w.behind, w.free = make(chan chunk, 1), make(chan chunk, 1)
		w.free <- chunk{}
		go w.compress()
	}
	w.behind <- chunk{bytes: w.chunk}
	done := <-w.free
	w.chunk, w.before = done.bytes[:0], done.size
	return done.err
}

// compress compresses chunks until there are no more. An error of the compressor is final.
func (w *runWriter) compress() {
	for c := range w.behind {
		c.err = w.z.EncodeBuffer(c.bytes)
		c.size = w.size
		w.free <- c
	}
	close(w.free)
}

// settle waits until all chunks are compressed.
func (w *runWriter) settle() (err error) {
	if w.behind == nil {
		return nil
	}
	close(w.behind)
	for done := range w.free {
		err = done.err
	}
	w.behind = nil
	return err
}

// commit ends the run and renames it.
func (w *runWriter) commit() (schemas.Shard, error) {
	err := w.settle()
	if w.z != nil {
		if err == nil {
			err = w.z.EncodeBuffer(binary.AppendUvarint(w.chunk, endOfRun))
		}
		err = errors.Join(err, w.z.Close())
	}
	// Durable before the rename: a file with a hash in its name is complete.
	if err = errors.Join(err, w.flushed()); err == nil && !w.passing {
		err = w.file.Sync()
	}
	if err = errors.Join(err, w.file.Close()); err != nil {
		return schemas.Shard{}, err
	}
	sum := hex.EncodeToString(w.hash.Sum(nil))
	s := schemas.Shard{Name: named(w.name, sum), Bytes: w.size, SHA256: sum}
	// A file of that name has the same bytes.
	if err := w.f.Rename(w.temp, s.Name); err != nil {
		return schemas.Shard{}, err
	}
	w.file = nil
	return s, nil
}

// named inserts a hash into a name. By such names the files of two generations can coexist until the manifest is
// replaced.
func named(name, sum string) string { return fmt.Sprintf(name, sum[:20]) }

// abort drops the run, unless it was committed.
func (w *runWriter) abort() {
	if w.file != nil {
		_ = w.settle()         // it is dropped
		_ = w.flushed()        // it is dropped
		_ = w.file.Close()     // it is dropped
		_ = w.f.Remove(w.temp) // otherwise the next run sweeps it
	}
}

// record is a record of a run. From readRun its bytes are new memory, which fold and merge keep. From passRun and
// sortedRecords they are valid until the next record.
type record struct {
	key, value []byte

	// From merge: its origin is the previous generation, or parts.
	before, fresh bool
}

// readRun yields the records of a run. Damage, and keys that do not ascend, end it with an error.
func readRun(f folder.Folder, name string) iter.Seq2[record, error] {
	return recordsOf(f, name, false)
}

// passRun is readRun for callers that keep no record: memory is reused.
func passRun(f folder.Folder, name string) iter.Seq2[record, error] {
	return recordsOf(f, name, true)
}

func recordsOf(f folder.Folder, name string, passing bool) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		fail := func(err error) {
			err = fmt.Errorf("%s: %w: bring it back, or make the Source DB anew of its collections", f.Path(name), err)
			yield(record{}, err)
		}
		r, err := f.Open(name)
		if err != nil {
			fail(err)
			return
		}
		defer func() { _ = r.Close() }() // only read
		in := records{passing: passing}
		stop, err := in.open(r)
		if err != nil {
			fail(err)
			return
		}
		defer stop()
		var last []byte
		for {
			rec, err := in.next()
			switch {
			case err == io.EOF:
				return
			// Equal keys are allowed: a feed has several hits.
			case err == nil && last != nil && bytes.Compare(last, rec.key) > 0:
				err = errRun
			}
			if err != nil {
				fail(err)
				return
			}
			if !yield(rec, nil) {
				return
			}
			last = append(last[:0], rec.key...)
		}
	}
}

// slabBytes is how much memory is allocated at a time, for about a hundred records.
const slabBytes = 64 << 10

// records reads records. Unless passing, each has its own part of a slab, because fold and merge hold several.
type records struct {
	from    bytesReader
	slab    []byte
	passing bool
	older   bool // zstd of an earlier version, which marks its own end
}

type bytesReader interface {
	io.Reader
	io.ByteReader
}

// open begins to read a run; stop must be called at the end.
func (in *records) open(r io.Reader) (stop func(), err error) {
	head := bufio.NewReaderSize(r, 64<<10)
	// A file too short for either format gives an error of S2.
	if magic, _ := head.Peek(4); string(magic) != "\x28\xb5\x2f\xfd" {
		in.from = s2.NewReader(head, s2.ReaderAllocBlock(partBlock))
		return func() {}, nil
	}
	// At most 64 MiB, whatever a damaged file asks for.
	z, err := zstd.NewReader(head, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	in.from, in.older = bufio.NewReaderSize(z, 64<<10), true
	return z.Close, nil
}

func (in *records) next() (record, error) {
	keys, err := binary.ReadUvarint(in.from)
	switch {
	case err == io.EOF && !in.older:
		return record{}, errRun
	case err != nil:
		return record{}, err // io.EOF at the end, or another for a truncated file
	case keys == endOfRun:
		return record{}, in.atEnd()
	}
	values, err := binary.ReadUvarint(in.from)
	// Checked before allocating.
	if err != nil || keys > maxRecord || values > maxRecord {
		return record{}, errors.Join(errRun, err)
	}
	n := int(keys + values)
	if n > len(in.slab) {
		in.slab = make([]byte, max(n, slabBytes))
	}
	b := in.slab[:n:n]
	if !in.passing {
		in.slab = in.slab[n:]
	}
	if _, err := io.ReadFull(in.from, b); err != nil {
		return record{}, errors.Join(errRun, err)
	}
	return record{key: b[:keys:keys], value: b[keys:]}, nil
}

// atEnd returns io.EOF if nothing follows.
func (in *records) atEnd() error {
	if _, err := in.from.ReadByte(); err != io.EOF {
		return errors.Join(errRun, err)
	}
	return io.EOF
}

// hiddenDir is the folder of everything that is not a result.
const hiddenDir = ".gleaner"

func hidden(name string) string { return hiddenDir + "/" + name }
