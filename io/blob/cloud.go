package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"
)

// splitCloud divides "gs://bucket/object".
func splitCloud(name string) (bucket, object string, err error) {
	bucket, object, _ = strings.Cut(name[len("gs://"):], "/")
	if bucket == "" || strings.ContainsAny(bucket, meta) {
		return "", "", &InputError{name, "a bucket must be named", ErrSyntax}
	}
	return bucket, object, nil
}

// cloudName adds the objects that name, an object, a prefix or a pattern, stands for.
func (e *expander) cloudName(ctx context.Context, name string) error {
	bucket, object, err := splitCloud(name)
	if err != nil {
		return err
	}
	client, err := e.store.cloud(ctx)
	if err != nil {
		return fmt.Errorf("connect to Google Cloud Storage: %w", err)
	}
	b := client.Bucket(bucket)
	switch {
	case strings.ContainsAny(object, meta):
		return e.cloudPattern(ctx, b, object)
	case object == "", strings.HasSuffix(object, "/"):
		return e.cloudTree(ctx, b, object)
	}
	attrs, err := b.Object(object).Attrs(ctx)
	switch {
	case err == nil:
		e.addObject(attrs)
		return nil
	case !errors.Is(err, storage.ErrObjectNotExist):
		return err
	}
	before := len(e.found)
	if missing := e.cloudTree(ctx, b, object+"/"); missing != nil || len(e.found) > before {
		return missing
	}
	return err
}

func (e *expander) addObject(attrs *storage.ObjectAttrs) {
	e.found = append(e.found, Info{
		Name:  "gs://" + attrs.Bucket + "/" + attrs.Name,
		Size:  attrs.Size,
		Stamp: strconv.FormatInt(attrs.Generation, 10),
	})
}

// cloudPattern adds the objects that match text, and the one that is called so.
func (e *expander) cloudPattern(ctx context.Context, b *storage.BucketHandle, text string) error {
	p, err := compile(text)
	if err != nil {
		return err
	}
	prefix := text[:strings.IndexAny(text, meta)]
	return e.cloudList(ctx, b, prefix, func(name string) bool {
		return name == text || p.matches(name) && !isHidden(name[len(p.base):])
	})
}

// cloudTree adds the objects beneath prefix, which is empty or ends in a slash.
func (e *expander) cloudTree(ctx context.Context, b *storage.BucketHandle, prefix string) error {
	return e.cloudList(ctx, b, prefix, func(name string) bool { return !isHidden(name[len(prefix):]) })
}

// isHidden tells whether a file or folder on the path begins with a dot.
func isHidden(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// cloudList adds the objects whose name begins with prefix and is wanted. Names that end in a slash only stand for
// folders.
func (e *expander) cloudList(ctx context.Context, b *storage.BucketHandle, prefix string, wanted func(string) bool) error {
	query := &storage.Query{Prefix: prefix}
	if err := query.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation"}); err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	objects := b.Objects(ctx, query)
	for {
		attrs, err := objects.Next()
		if errors.Is(err, iterator.Done) {
			return nil
		}
		if err != nil {
			return err
		}
		if !strings.HasSuffix(attrs.Name, "/") && wanted(attrs.Name) {
			e.addObject(attrs)
		}
	}
}

// openCloud opens an object of a bucket in the generation that it has now.
func (s *Store) openCloud(ctx context.Context, name string) (Object, error) {
	bucket, object, err := splitCloud(name)
	if err != nil {
		return nil, err
	}
	client, err := s.cloud(ctx)
	if err != nil {
		return nil, inputError(name, fmt.Errorf("connect to Google Cloud Storage: %w", err))
	}
	handle := client.Bucket(bucket).Object(object)
	attrs, err := handle.Attrs(ctx)
	if err != nil {
		return nil, inputError(name, err)
	}
	// ReadCompressed: objects that carry Content-Encoding: gzip would else be inflated by the server, which knows no
	// ranges of them.
	handle = handle.Generation(attrs.Generation).ReadCompressed(true)
	return &cloudObject{ctx: ctx, handle: handle, name: name, size: attrs.Size}, nil
}

// How much a request asks for: after a jump little, because a jump may be a mere look, and then ever more.
const (
	firstWindow = 1 << 20
	lastWindow  = 64 << 20
)

// cloudObject reads one generation of an object. A read that goes on where the last one ended continues its stream.
type cloudObject struct {
	ctx    context.Context // io.ReaderAt has no room for it, so reads take that of Open
	handle *storage.ObjectHandle
	name   string
	size   int64

	mu     sync.Mutex
	stream *storage.Reader // nil when none is open
	pos    int64           // where stream stands
	window int64           // what the next request in sequence asks for
	closed bool
}

func (o *cloudObject) Name() string { return o.name }
func (o *cloudObject) Size() int64  { return o.size }

// Close ends the stream.
func (o *cloudObject) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return os.ErrClosed
	}
	o.closed = true
	return o.endStream()
}

func (o *cloudObject) endStream() error {
	if o.stream == nil {
		return nil
	}
	err := o.stream.Close()
	o.stream = nil
	return err
}

// ReadAt reads len(p) bytes from off, or those that there are and io.EOF.
func (o *cloudObject) ReadAt(p []byte, off int64) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return 0, fmt.Errorf("blob: read %s: %w", o.name, os.ErrClosed)
	case off < 0:
		return 0, fmt.Errorf("blob: read %s: negative offset %d: %w", o.name, off, ErrSyntax)
	}
	want := int(min(int64(len(p)), max(o.size-off, 0)))
	n := 0
	for n < want {
		m, err := o.read(p[n:want], off+int64(n))
		n += m
		if err != nil {
			return n, fmt.Errorf("blob: read %s at %d: %w", o.name, off+int64(n), err)
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read reads at least one byte at off, or fails.
func (o *cloudObject) read(p []byte, off int64) (int, error) {
	if err := o.seek(off, int64(len(p))); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(o.stream, p)
	o.pos += int64(n)
	if err == nil {
		return n, nil
	}
	// A window that ends is no error; one that ends without a byte is.
	if n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, errors.Join(err, o.endStream())
}

// seek makes stream stand at off, with a window for n bytes and more when it has to ask for one.
func (o *cloudObject) seek(off, n int64) error {
	if o.stream != nil && o.pos == off && o.stream.Remain() > 0 {
		return nil
	}
	if o.pos == off && o.window > 0 {
		o.window = min(4*o.window, lastWindow)
	} else {
		o.window = firstWindow
	}
	if err := o.endStream(); err != nil {
		return err
	}
	stream, err := o.handle.NewRangeReader(o.ctx, off, min(max(o.window, n), o.size-off))
	if errors.Is(err, storage.ErrObjectNotExist) {
		return kinded{ErrChanged, err}
	}
	if err != nil {
		return err
	}
	o.stream, o.pos = stream, off
	return nil
}
