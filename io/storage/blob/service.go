package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Service holds files. Names are complete, with their scheme. Its methods are safe for concurrent use.
type Service interface {
	// Stat describes one file. The error for a missing file has the status 404.
	Stat(ctx context.Context, name string) (Info, error)
	// List describes, in any order, all files whose names begin with prefix.
	List(ctx context.Context, prefix string, found func(Info)) error
	// Get streams n bytes from off of the file in the version of info. It tries once. The error matches ErrChanged if
	// that version is gone. If the server sends the whole file instead, the body is a Whole.
	Get(ctx context.Context, info Info, off, n int64) (io.ReadCloser, error)
	Close() error
}

// Writable is a Service that can be written to. Each method is one attempt.
type Writable interface {
	Service
	// Put writes a whole file or nothing. If replaced is not "", the file must have that version; otherwise the error
	// matches ErrChanged.
	Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (Info, error)
	Copy(ctx context.Context, from, to string) error
	// Remove removes a file. It accepts a missing file.
	Remove(ctx context.Context, name string) error
	// Sweep removes the parts of unfinished uploads beneath prefix.
	Sweep(ctx context.Context, prefix string) error
}

// Driver connects to the services of a scheme, and interprets their errors.
type Driver struct {
	Connect  func(context.Context, Options) (Service, error)
	Status   func(error) int  // the HTTP status of an error, 0 if it is not one of the service's
	NoBucket func(error) bool // reports whether the bucket itself is missing
}

// drivers are the imported drivers by scheme. Only init functions write them, one by one before main, so no lock is
// needed.
var drivers = map[string]Driver{}

// Register registers a scheme. The init functions of packages gs and s3 call it, so that only programs that import them
// include their client libraries.
func Register(scheme string, d Driver) { drivers[scheme] = d }

// unsupported returns an error that lists the supported schemes, because the scheme of the given name is not supported.
func unsupported(name string) error {
	// Sorted, because the order of a map differs from run to run, and a message should not.
	var schemes strings.Builder
	for _, s := range slices.Sorted(maps.Keys(drivers)) {
		schemes.WriteString(s + "://, ")
	}
	reason := "only paths and " + schemes.String() + "http:// and https:// names can be read"
	if s := scheme(name); s == "gs" || s == "s3" {
		// Commands need the build tag; other programs need the import.
		reason += ": this program was built without " + s + "://; build it without -tags local or nos3 (for Python: " +
			"pip install 'gleaner[cluster]'), or import io/storage/" + s
	}
	return &InputError{name, reason, errors.ErrUnsupported}
}

// PartBytes is the size of one part of an upload. Larger parts make fewer requests, smaller ones need less memory: each
// running upload holds one.
const PartBytes = 16 << 20

// ByteRange returns the value of a Range field. Both ends are in the range (RFC 9110, section 14.1.2).
func ByteRange(off, n int64) string { return fmt.Sprintf("bytes=%d-%d", off, off+n-1) }

// SplitBucket splits "gs://bucket/object", and names of other schemes in the same way.
func SplitBucket(name string) (bucket, object string, err error) {
	_, rest, _ := strings.Cut(name, "://")
	bucket, object, _ = strings.Cut(rest, "/")
	// A user before the bucket, or a query after the object, would not be sent: the bucket would be requested without
	// them.
	if secret.Hides(name) {
		return "", "", &InputError{name, "credentials are no part of a bucket's name: docs/object-storage.md says where " +
			"they are taken from", ErrSyntax}
	}
	// Patterns are for objects. Buckets are not listed, because that needs other permissions.
	if bucket == "" || strings.ContainsAny(bucket, meta) {
		return "", "", &InputError{name, "a bucket must be named", ErrSyntax}
	}
	return bucket, object, nil
}
