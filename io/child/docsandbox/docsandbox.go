// Package docsandbox reads documents that are not HTML, and images, in child processes. If a document makes a reader
// loop, crash or exhaust the memory, only its own text is lost. Package sandbox runs the processes; transforms/doctext
// lists the formats.
//
// A program calls Main before anything else (run.Main and run.Init do):
//
//	func main() {
//		docsandbox.Main()
//		r, err := docsandbox.New(0)
//		…
//		d := r.Read("application/pdf", body)
//	}
//
// The result is that of reader.Read. If a reader does not return, the document has a problem: timeout or crashed.
package docsandbox

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/io/child/sandbox"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
)

// Main returns at once, except in a child process: see sandbox.Main.
func Main() { sandbox.Main(Handle) }

// Handle runs in a child. It reads a document of the media type mime and encodes the result. For an image, a task comes
// before its type.
func Handle(mime string, body []byte) []byte {
	if task, of, found := strings.Cut(mime, " "); found {
		return encodeImage(handleImage(task, of, body))
	}
	return encode(reader.Read(mime, body, doctext.Options{}))
}

// Reader reads documents in child processes. It may be used by several goroutines at the same time.
type Reader struct {
	pool *sandbox.Pool

	mu  sync.Mutex
	err error
}

// New makes a reader with at most n children; 0 means GOMAXPROCS. Children start when they are needed.
func New(n int) (*Reader, error) {
	// One byte more than the reader reads shows it that the body is longer.
	pool, err := sandbox.New(sandbox.Options{Size: n, MaxRequest: reader.MaxBody + 1})
	if err != nil {
		return nil, err
	}
	return &Reader{pool: pool}, nil
}

// Read reads a document of the media type mime. The result is never nil.
func (r *Reader) Read(mime string, body []byte) *doctext.Document {
	reply, err := r.pool.Do(context.Background(), mime, body[:min(len(body), reader.MaxBody+1)])
	if err == nil {
		if d, ok := decode(reply); ok {
			return d
		}
		err = sandbox.ErrCrashed // no handler of ours replies so
	}
	d := &doctext.Document{}
	// The messages name no exit status or signal: those can differ from run to run for the same document.
	switch {
	case errors.Is(err, sandbox.ErrTimeout):
		d.Add(doctext.KindTimeout, "reading was given up after 10 s of processor time")
	case errors.Is(err, sandbox.ErrLimit):
		d.Add(doctext.KindLimit, "what was read is larger than what can be passed on")
	case errors.Is(err, sandbox.ErrCrashed):
		d.Add(doctext.KindCrashed, "the process that read it died, twice: of its memory limit or of a fault")
	default:
		d.Add(doctext.KindCrashed, "it was not read: "+err.Error())
		r.fail(err)
	}
	return d
}

// Err returns the first error that no document caused, for example that no child could be started. Callers that check
// it after each Read write no document that was not read for such a reason.
func (r *Reader) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Reader) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = fmt.Errorf("reading documents: %w", err)
	}
}

// Close ends the children. Err returns an error if Close interrupted a Read.
func (r *Reader) Close() { r.pool.Close() }

// encode writes a document as the length of its JSON, the JSON without the text, and the text, which may be long.
func encode(d *doctext.Document) []byte {
	head := *d
	head.Text = ""
	b, err := json.Marshal(head)
	if err != nil {
		panic(err) // a document has only strings and numbers, which always encode
	}
	reply := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(b)+len(d.Text)), uint32(len(b)))
	return append(append(reply, b...), d.Text...)
}

// decode is the inverse of encode. It returns false if reply is invalid.
func decode(reply []byte) (*doctext.Document, bool) {
	if len(reply) < 4 {
		return nil, false
	}
	n, rest := int64(binary.BigEndian.Uint32(reply)), reply[4:]
	d := new(doctext.Document)
	if n > int64(len(rest)) || json.Unmarshal(rest[:n], d) != nil {
		return nil, false
	}
	d.Text = string(rest[n:])
	return d, true
}
