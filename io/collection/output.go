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

// output is one shard while it is written: under a temporary name, hashed and counted on the way to the disk.
type output struct {
	f    folder.Folder
	name string // the shard's name
	temp string // the temporary file's
	file folder.File
	buf  *bufio.Writer
	hash hash.Hash
	n    int64
	time int64 // of modification when it is finished, as in Row.Modified
	enc  encoder
	err  error // the first failure; what follows it is not written
}

// encoder is what turns records into the bytes of an output.
type encoder interface{ Close() error }

// aborter is an encoder that can end without its output, where closing it would cost a sort.
type aborter interface{ Abort() error }

// outputBuffer gathers what encoders write in small pieces.
const outputBuffer = 128 << 10

func newOutput(f folder.Folder, name, unique string) (*output, error) {
	o := &output{f: f, name: name, temp: tempName(name, unique), hash: sha256.New()}
	// Under a temporary name: a shard has its own when its row is about to be.
	file, err := f.Create(o.temp)
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", name, err)
	}
	o.file = file
	o.buf = bufio.NewWriterSize(file, outputBuffer)
	return o, nil
}

// Write takes bytes from the encoder.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	// Only what the buffer took is hashed and counted.
	n, err := o.buf.Write(p)
	o.hash.Write(p[:n]) // a hash never fails to write
	o.n += int64(n)
	o.err = err
	return n, err
}

// wrap names the shard in an encoder's error.
func (o *output) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("collection: %s: %w", o.name, err)
}

// finish ends the encoding and brings the bytes to the disk.
func (o *output) finish() (schemas.Shard, error) {
	// The encoder may still write its end, as Parquet its footer.
	err := o.enc.Close()
	o.enc = nil
	if err == nil {
		err = o.buf.Flush()
	}
	if err == nil {
		err = o.file.Sync()
	}
	if err == nil {
		// After the last write, since by this time a later run sees that the file is as it was.
		err = o.stamp()
	}
	// Closed in any case, and its error told where there is no earlier one.
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

// discard ends the output wherever it stands and removes its file, unless it has got its name.
func (o *output) discard() {
	// What the encoder still writes when it is closed goes nowhere.
	o.err = errEnded
	if a, ok := o.enc.(aborter); ok {
		_ = a.Abort() // what it could not remove is in the spill folder, which goes next
	} else if o.enc != nil {
		_ = o.enc.Close() // for what it holds in memory; its bytes go nowhere
	}
	if o.file != nil {
		_ = o.file.Close() // it is removed next
	}
	_ = o.f.Remove(o.temp) // gone after the renaming; else Open sweeps it
	o.enc, o.file = nil, nil
}
