package corpora

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// errRecords is a file of records that is not as it was written.
var errRecords = errors.New("corpora: not as it was written")

const hiddenDir = ".gleaner/"

// maxRecord bounds a key or a value, in bytes: a text of filter.MaxBytes and what JSON makes of it.
const maxRecord = 64 << 20

// output is a file that is being written: under a hidden name until it is whole.
type output struct {
	f    folder.Folder
	temp string
	file folder.File
	hash hash.Hash
	size int64
	done bool
}

func create(f folder.Folder) (*output, error) {
	o := &output{f: f, temp: hiddenDir + ".corpus.tmp-" + folder.Unique(), hash: sha256.New()}
	var err error
	o.file, err = f.Create(o.temp)
	return o, err
}

// Write writes to the file.
func (o *output) Write(p []byte) (int, error) {
	o.hash.Write(p) // a hash never fails to write
	o.size += int64(len(p))
	return o.file.Write(p)
}

// commit gives the file its name, once it is on the disk.
func (o *output) commit(name string) (schemas.Shard, error) {
	o.done = true
	err := errors.Join(o.file.Sync(), o.file.Close())
	if err == nil {
		err = o.f.Rename(o.temp, name)
	}
	if err != nil {
		return schemas.Shard{}, errors.Join(err, o.f.Remove(o.temp))
	}
	return schemas.Shard{Name: name, Bytes: o.size, SHA256: hex.EncodeToString(o.hash.Sum(nil))}, nil
}

// abort removes the file; after commit it does nothing, so that it can be deferred.
func (o *output) abort() {
	if !o.done {
		o.done = true
		// The error that made the caller give up is the one to tell.
		_ = errors.Join(o.file.Close(), o.f.Remove(o.temp))
	}
}

// appendRecord appends a record: the lengths of its key and its value, and both.
func appendRecord(b, key, value []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(append(b, key...), value...)
}

// nextRecord reads a record; io.EOF after the last. The bytes are the caller's.
func nextRecord(r *bufio.Reader) (key, value []byte, err error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, nil, err
	}
	m, err := binary.ReadUvarint(r)
	if err != nil || n > maxRecord || m > maxRecord {
		return nil, nil, errRecords
	}
	b := make([]byte, n+m)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, nil, errRecords
	}
	return b[:n], b[n:], nil
}

// cutRecord cuts the record off that b begins with; key and value are parts of b.
func cutRecord(b []byte) (key, value, rest []byte, err error) {
	n, sizeN := binary.Uvarint(b)
	if sizeN <= 0 {
		return nil, nil, nil, errRecords
	}
	m, sizeM := binary.Uvarint(b[sizeN:])
	b = b[max(0, sizeN+sizeM):]
	if sizeM <= 0 || n > uint64(len(b)) || m > uint64(len(b))-n {
		return nil, nil, nil, errRecords
	}
	return b[:n], b[n : n+m], b[n+m:], nil
}

// records writes a file of records.
type records struct {
	*output
	w   *bufio.Writer
	buf []byte
}

func createRecords(f folder.Folder) (*records, error) {
	o, err := create(f)
	if err != nil {
		return nil, err
	}
	return &records{output: o, w: bufio.NewWriterSize(o, 1<<18)}, nil
}

func (r *records) add(key, value []byte) error {
	r.buf = appendRecord(r.buf[:0], key, value)
	_, err := r.w.Write(r.buf)
	return err
}

func (r *records) end(name string) error {
	if err := r.w.Flush(); err != nil {
		return err
	}
	_, err := r.commit(name)
	return err
}

// eachRecord calls do with each record of a file.
func eachRecord(f folder.Folder, name string, do func(key, value []byte) error) (err error) {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r := bufio.NewReaderSize(in, 1<<18)
	for {
		key, value, err := nextRecord(r)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(key, value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path(name), err)
		}
	}
}

// maxJSON bounds a file of JSON, in bytes: the largest, a manifest, has some 300 bytes a file and reason. A folder of a
// corpus may come from others.
const maxJSON = 256 << 20

func writeJSON(f folder.Folder, name string, v any) error {
	b, err := folder.EncodeJSON(v)
	if err != nil {
		return err
	}
	return f.Write(name, b)
}

// done reads what a step has left; false when it has left nothing.
func done(f folder.Folder, name string, v any) (bool, error) {
	err := folder.ReadJSON(f, name, maxJSON, v)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// keyOf names what depends on these values: 80 bits tell a million of them apart.
func keyOf(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // our own types, of strings and numbers
		}
		h.Write(append(b, '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// hidden names a file between the steps. A step whose files are written otherwise than before gets another name: a run
// that an earlier version began may be gone on with.
func hidden(step, key, ext string) string { return hiddenDir + "corpus-" + step + "-" + key + ext }
