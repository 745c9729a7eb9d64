package fileset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// maxRequest limits a request in bytes; Sandcrawler's have some hundred.
const maxRequest = 1 << 20

// said is a line of input: a request as JSON, and its position.
type said struct {
	text []byte // valid until the next line
	at   place
}

// place is the position of a request.
type place struct {
	file          string
	offset, bytes int64
}

// asked yields the requests of all names in order, and rejects for other lines.
func asked(
	ctx context.Context, store *blob.Store, names []string, properties map[string]string,
) iter.Seq2[filesets.Line, error] {
	return func(yield func(filesets.Line, error) bool) {
		for _, name := range names {
			for s, err := range open(ctx, store, name, properties) {
				if !yield(line(s.text, s.at, err)) {
					return
				}
			}
		}
	}
}

// open yields the lines of a file, the messages of a topic, or the pending requests of a database. After an error
// about one line, others follow.
func open(ctx context.Context, store *blob.Store, name string, properties map[string]string) iter.Seq2[said, error] {
	switch {
	case strings.HasPrefix(name, schemas.TopicScheme):
		return topic(ctx, name, properties)
	case isTable(name):
		return pending(ctx, name)
	}
	return func(yield func(said, error) bool) {
		at := place{file: schemas.NameOf(name)}
		in, done, err := reader(ctx, store, name)
		if err != nil {
			yield(said{at: at}, err)
			return
		}
		defer done()
		r, err := jsonl.NewReaderOptions(in, jsonl.Options{MaxLineBytes: maxRequest})
		if err != nil {
			yield(said{at: at}, err)
			return
		}
		for text, err := range r.All() {
			at.bytes = int64(len(text))
			var bad *lines.Error
			if errors.As(err, &bad) {
				at.offset = bad.Offset
			}
			// Some programs for text write a byte order mark before the first request.
			if !yield(said{bytes.TrimPrefix(text, []byte("\ufeff")), at}, err) {
				return
			}
			at.offset += at.bytes + 1
		}
	}
}

func reader(ctx context.Context, store *blob.Store, name string) (io.Reader, func(), error) {
	if name == "-" {
		return work.Until(ctx, os.Stdin), func() {}, nil
	}
	o, err := store.Open(ctx, schemas.NameOf(name))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil, cli.Usagef("--requests=%s: %v", name, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return io.NewSectionReader(o, 0, o.Size()), func() { _ = o.Close() }, nil // nothing was written
}

// line returns a request, or a reject for an invalid line. Other errors are final.
func line(text []byte, at place, err error) (filesets.Line, error) {
	reject := func(kind schemas.Kind, why error) (filesets.Line, error) {
		return filesets.Line{Reject: &schemas.Reject{
			File: at.file, Offset: at.offset, Length: at.bytes, Stage: "request", Kind: kind, Message: why.Error(),
		}}, nil
	}
	if errors.Is(err, lines.ErrTooLong) {
		return reject(schemas.KindLimit, err)
	}
	if err != nil {
		return filesets.Line{}, fmt.Errorf("%s: %w", at.file, err)
	}
	var r schemas.FilesetRequest
	if err := json.Unmarshal(text, &r); err != nil {
		return reject(schemas.KindGarbage, err)
	}
	if err := core.Check(&r); err != nil {
		return reject(schemas.KindRefused, err)
	}
	return filesets.Line{Request: &r}, nil
}

// isTable reports whether name is the URL of a database of requests.
func isTable(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}
