package collection

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// output is a shard while it is written: under a temporary name, hashed and counted.
type output struct {
	f    folder.Folder
	name string // of the shard
	temp string // of the temporary file
	file folder.File
	buf  *bufio.Writer
	hash hash.Hash
	n    int64
	time int64 // time of modification when finished, as in Row.Modified
	enc  encoder
	err  error // first failure; later writes are dropped
}

// encoder turns records into the bytes of an output.
type encoder interface{ Close() error }

// aborter is an encoder that can end without writing its output, because closing it would cost a sort.
type aborter interface{ Abort() error }

// outputBuffer is the size of the buffer for encoders' small writes, in bytes.
const outputBuffer = 128 << 10

func newOutput(f folder.Folder, name, unique string) (*output, error) {
	o := &output{f: f, name: name, temp: tempName(name, unique), hash: sha256.New()}
	file, err := f.Create(o.temp)
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", name, err)
	}
	o.file = file
	o.buf = bufio.NewWriterSize(file, outputBuffer)
	return o, nil
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.buf.Write(p)
	o.hash.Write(p[:n])
	o.n += int64(n)
	o.err = err
	return n, err
}

// wrap adds the shard's name to an encoder's error.
func (o *output) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("collection: %s: %w", o.name, err)
}

// finish ends the encoding and makes the file durable.
func (o *output) finish() (schemas.Shard, error) {
	err := o.enc.Close()
	o.enc = nil
	if err == nil {
		err = o.buf.Flush()
	}
	if err == nil {
		err = o.file.Sync()
	}
	if err == nil {
		// After the last write: by this time later runs see that the file is unchanged.
		err = o.stamp()
	}
	if closed := o.file.Close(); err == nil {
		err = closed
	}
	o.file = nil
	return schemas.Shard{Name: o.name, Bytes: o.n, SHA256: hex.EncodeToString(o.hash.Sum(nil))}, o.wrap(err)
}

// stamp notes when the file was last written.
func (o *output) stamp() error {
	info, err := o.file.Stat()
	if err == nil {
		o.time = info.ModTime().UnixNano()
	}
	return err
}

var errEnded = errors.New("collection: the writer has ended")

// discard ends the output in any state and removes its file, unless it was renamed.
func (o *output) discard() {
	// Drop what the encoder writes when it is closed.
	o.err = errEnded
	if a, ok := o.enc.(aborter); ok {
		_ = a.Abort() // what it could not remove is in the spill folder, which goes next
	} else if o.enc != nil {
		_ = o.enc.Close() // frees memory; its bytes are dropped
	}
	if o.file != nil {
		_ = o.file.Close() // it is removed next
	}
	_ = o.f.Remove(o.temp) // not found after the renaming; otherwise Open sweeps it
	o.enc, o.file = nil, nil
}
