package shard

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Output is a shard while it is written: under a temporary name, hashed and counted.
type Output struct {
	f    folder.Folder
	Name string // of the shard
	Temp string // of the temporary file
	file folder.File
	buf  *bufio.Writer
	hash hash.Hash
	n    int64
	Time int64 // Time of modification when finished, as in Row.Modified
	Enc  encoder
	err  error // first failure; later writes are dropped
}

// encoder turns records into the bytes of an output.
type encoder interface{ Close() error }

// aborter is an encoder that can end without writing its output, because closing it would cost a sort.
type aborter interface{ Abort() error }

// outputBuffer is the size of the buffer for encoders' small writes, in bytes.
const outputBuffer = 128 << 10

func Create(f folder.Folder, name, unique string) (*Output, error) {
	o := &Output{f: f, Name: name, Temp: ledger.TempName(name, unique), hash: sha256.New()}
	file, err := f.Create(o.Temp)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	o.file = file
	o.buf = bufio.NewWriterSize(file, outputBuffer)
	return o, nil
}

func (o *Output) Write(p []byte) (int, error) {
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
func (o *Output) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", o.Name, err)
}

// Finish ends the encoding and makes the file durable.
func (o *Output) Finish() (schemas.Shard, error) {
	err := o.Enc.Close()
	o.Enc = nil
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
	return schemas.Shard{Name: o.Name, Bytes: o.n, SHA256: hex.EncodeToString(o.hash.Sum(nil))}, o.wrap(err)
}

// stamp notes when the file was last written.
func (o *Output) stamp() error {
	info, err := o.file.Stat()
	if err == nil {
		o.Time = info.ModTime().UnixNano()
	}
	return err
}

var errEnded = errors.New("the writer has ended")

// Discard ends the output in any state and removes its file, unless it was renamed.
func (o *Output) Discard() {
	// Drop what the encoder writes when it is closed.
	o.err = errEnded
	if a, ok := o.Enc.(aborter); ok {
		_ = a.Abort() // what it could not remove is in the spill folder, which goes next
	} else if o.Enc != nil {
		_ = o.Enc.Close() // frees memory; its bytes are dropped
	}
	if o.file != nil {
		_ = o.file.Close() // it is removed next
	}
	_ = o.f.Remove(o.Temp) // not found after the renaming; otherwise Open sweeps it
	o.Enc, o.file = nil, nil
}
