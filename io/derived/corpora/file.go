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

// errRecords means that a file of records is damaged.
var errRecords = errors.New("corpora: not as it was written")

const hiddenDir = ".gleaner/"

// maxRecord limits a key or a value, in bytes: a text of filter.MaxBytes as JSON.
const maxRecord = 64 << 20

// output is a file being written, under a hidden name until it is complete.
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

func (o *output) Write(p []byte) (int, error) {
	o.hash.Write(p)
	o.size += int64(len(p))
	return o.file.Write(p)
}

// commit makes the file durable and renames it.
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

// abort removes the file. After commit it does nothing, so that it can be deferred.
func (o *output) abort() {
	if !o.done {
		o.done = true
		// The caller returns the error that made it give up.
		_ = errors.Join(o.file.Close(), o.f.Remove(o.temp))
	}
}

// appendRecord appends a record: the lengths of key and value, and both.
func appendRecord(b, key, value []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(append(b, key...), value...)
}

// nextRecord reads a record, or returns io.EOF after the last. The bytes belong to the caller.
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

// cutRecord splits off the first record of b; key and value share its memory.
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

// maxJSON limits a file of JSON, in bytes: a manifest has about 300 bytes a file and reason. A folder may come from
// others.
const maxJSON = 256 << 20

func writeJSON(f folder.Folder, name string, v any) error {
	b, err := folder.EncodeJSON(v)
	if err != nil {
		return err
	}
	return f.Write(name, b)
}

// done reads the result of a step, or returns false if there is none.
func done(f folder.Folder, name string, v any) (bool, error) {
	err := folder.ReadJSON(f, name, maxJSON, v)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// keyOf returns a name for what depends on these values: 80 bits suffice for millions.
func keyOf(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // own types, of strings and numbers
		}
		h.Write(append(b, '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// hidden returns the name of a file between the steps. A step that changes its files needs a new name, because a run of
// an earlier version may be continued.
func hidden(step, key, ext string) string { return hiddenDir + "corpus-" + step + "-" + key + ext }
