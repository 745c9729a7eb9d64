// Package blob finds and opens the files that archives are read from: on local disks, on the web, and in Google Cloud
// Storage and S3. A program imports packages gs and s3 for the latter two.
//
// [Store.Expand] turns the arguments of a command line into a sorted list of files: names, folders, patterns, lists of
// names. [Store.Open] opens one of them for ranged reads, as a worker needs that starts in the middle of a file. The
// package does not look into files: other packages detect formats by content. [Store.Put] writes whole objects; package
// folder makes folders of them.
//
//	store := blob.New(blob.Options{})
//	defer store.Close()
//	files, err := store.Expand(ctx, []string{"crawls/**/*.warc.gz", "gs://bucket/2025/"}, os.Stdin)
//	// …
//	object, err := store.Open(ctx, files[0].Name)
//
// Expand accepts:
//
//	name          a file, or a folder with all files beneath it
//	pattern       * and ? within a folder, [a-z], [!a-z], {a,b}, and ** across folders; a file that has
//	              such a name itself is taken literally
//	gs://b/name   an object, or all objects beneath gs://b/name/; patterns likewise
//	s3://b/name   likewise
//	https://…     one file; http:// too. If a server gives no parts of files, the file is kept in the folder for
//	              temporary files while it is read
//	@list.txt     a file with one of the above on each line; relative names are relative to its folder; blank
//	              lines and lines that begin with # are skipped; the list may be any of the above itself and
//	              be compressed by gzip. If it has a zero byte, zero bytes end names, and lines do not
//	-             such a list on standard input, relative names relative to the working directory; or the archive
//	              that Options.Stdin holds
//
// Files and folders whose name begins with a dot are skipped, unless they are named. Links to folders are followed,
// once for each folder, but not by **. A file with several names is listed once: see [Twice].
//
// Arguments and lists name local files as the system does, in any bytes. The names in Info, and those that Open takes,
// are those of [schemas.NameOf]: text that JSON preserves.
//
// The user and the query of a URL appear in no name and no error. Info.Name is the result of [secret.Hide], and Open
// accepts either form.
//
// A remote file is read in the version at the time of Open, or, with [Store.At], of its finding. A file that is
// replaced in the meantime gives [ErrChanged]. Requests that fail for a temporary reason are repeated. Streams that
// break or stall resume at the byte that they had reached.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// Info describes a file that Expand found, or a group of files.
type Info struct {
	Name  string         // schemas.NameOf a cleaned path, or a URL, as Open takes it; for a group, its folder
	Size  int64          // bytes; for a group, their sum
	Stamp string         // changes when the content does: "size-modification time in ns", a generation, an entity tag
	Group *schemas.Group // nil for a file
	// Modified is the last change of the file, or of the newest in a group. It is zero when the server does not give
	// it.
	Modified time.Time
	// Unreadable says why a file found in a folder, or a whole folder, cannot be read. It is empty if no problem is
	// known.
	Unreadable string
}

// Object is an open file. ReadAt is safe for concurrent use.
type Object interface {
	io.ReaderAt
	io.Closer
	Name() string // as given to Open
	Size() int64  // bytes, when it was opened
}

// Options configure access to remote files. The zero value uses the defaults and credentials of the services' own
// libraries.
type Options struct {
	UserAgent string // sent with each request
	// RequesterPays makes requests to requester-pays buckets at the user's expense. It is the name of the project that
	// Google bills. Amazon bills the account of the credentials and ignores the name.
	RequesterPays string
	PrivateHosts  bool // also read http and https URLs with hosts in private networks
	// GoogleEndpoint is a server that replaces Google's, such as "http://host:1/storage/v1/". It is called without
	// credentials. AWS_ENDPOINT_URL names servers that replace Amazon's.
	GoogleEndpoint string
	Stdin          Stdin // the archive for the argument "-", unless that is a list

	Patience Patience // with servers that fail
}

// Stdin is an archive from standard input that was written to a file, or the zero value.
type Stdin struct {
	Name  string // its name in Info, also for Open
	Path  string // of the file
	Size  int64  // bytes
	Stamp string // as in Info
}

// Store finds and opens files. Its methods are safe for concurrent use.
type Store struct {
	*services
	stamps map[string]string // the versions to open; other names open in any version
	grown  bool              // local files may be longer than in their version
}

// services are connections to remote stores, made on first use.
type services struct {
	o       Options
	mu      sync.Mutex
	remotes map[string]Service // by scheme
}

// New returns a Store. It connects to a service only on first use.
func New(o Options) *Store {
	o.Patience = o.Patience.withDefaults()
	return &Store{services: &services{o: o, remotes: map[string]Service{}}}
}

// At returns a store that shares s's connections and opens the named files only in the versions of stamps, as in Info.
// A file that changes during a run is then an error and not a mixture.
func (s *Store) At(stamps map[string]string) *Store { return &Store{s.services, stamps, false} }

// AtOrGrown is like At, but also opens local files that have grown since. They have the size of then. So a run can read
// an archive that a crawler still writes.
func (s *Store) AtOrGrown(stamps map[string]string) *Store { return &Store{s.services, stamps, true} }

// Close closes the connections. Objects that are still open must not be read afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	// The service is also removed from the map: a store that is used after Close connects again.
	for scheme, r := range s.remotes {
		errs = append(errs, r.Close())
		delete(s.remotes, scheme)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("blob: close: %w", err)
	}
	return nil
}

// Open opens the file called name, a path or a URL, for ranged reads. The error is an *InputError, or that of ctx.
// Reads of remote files end when ctx does.
func (s *Store) Open(ctx context.Context, name string) (Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The name may come from a user and hold secrets. From here on only the hidden form is used, which errors repeat.
	// Package secret knows the rest.
	name = secret.Hide(name)
	stamp := s.stamps[name]
	// The name of standard input is not the path of the file that holds it; it could be the path of another one.
	if in := s.o.Stdin; in.Path != "" && name == in.Name {
		return openLocal(name, in.Path, "", false)
	}
	if scheme(name) == "" {
		return openLocal(name, schemas.PathOf(name), stamp, s.grown)
	}
	r, err := s.remote(ctx, name)
	if err != nil {
		return nil, inputError(name, err)
	}
	// Asked even if the stamp is known: the size is needed, and a change is better noticed before the first byte.
	info, err := r.Stat(ctx, name)
	if err == nil && stamp != "" && stamp != info.Stamp {
		err = Changed(name)
	}
	if err != nil {
		return nil, inputError(name, err)
	}
	// It requests no content yet: many files are opened only for a look at their end.
	return &remoteObject{ctx: ctx, from: r, info: info, wait: s.o.Patience}, nil
}

// ReadFile reads the file called name, at most limit bytes of it. A missing file gives ErrNotFound.
func (s *Store) ReadFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	o, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	// A longer file is cut to limit: only small files of our own are read here, and the rest of any other would not
	// help.
	data, err := io.ReadAll(io.NewSectionReader(o, 0, min(o.Size(), limit)))
	return data, errors.Join(err, o.Close())
}

// remote returns the service for name.
func (s *services) remote(ctx context.Context, name string) (Service, error) {
	// https and http are one service, with one pool of connections and one count of requests for each host.
	kind := scheme(name)
	if kind == "https" {
		kind = "http"
	}
	// Held while connecting, so that two goroutines do not make two services.
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.remotes[kind]; r != nil {
		return r, nil
	}
	// Connections outlive the call that first needs them.
	ctx = context.WithoutCancel(ctx)
	var r Service
	var err error
	if d, known := drivers[kind]; known {
		r, err = d.Connect(ctx, s.o)
	} else if kind == "http" {
		r = newWeb(s.o, s.o.Patience)
	} else {
		err = unsupported(name)
	}
	if err == nil {
		s.remotes[kind] = r
	}
	return r, err
}

// IsRemote reports whether name is the name of a file that is not on a local disk.
func IsRemote(name string) bool { return scheme(name) != "" }

// scheme returns the scheme of name in lower case, or "" for a path.
func scheme(name string) string {
	// A path may hold "://" too, but not near its start: a scheme has none of the characters of paths and patterns.
	before, _, found := strings.Cut(name, "://")
	if !found || before == "" || strings.ContainsAny(before, `/\.*?[{`) {
		return ""
	}
	return strings.ToLower(before)
}

// localObject is an open local file.
type localObject struct {
	*os.File
	name string
	size int64
}

// Name and size are from the opening: the plan was made for this size, even if the file grows.
func (o *localObject) Name() string { return o.name }
func (o *localObject) Size() int64  { return o.size }

// openLocal opens the file at a path. If stamp is not empty, the file must have that version, or with grown be longer.
func openLocal(name, path, stamp string, grown bool) (Object, error) {
	// Stat comes first, because opening a named pipe waits for a writer.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(info.Mode())
	}
	if err != nil {
		return nil, inputError(name, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, inputError(name, err)
	}
	// Stat again, on the open file: another file may have taken the name since.
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(inputError(name, err), file.Close())
	}
	size := info.Size()
	if stamp != "" && stamp != localStamp(info) {
		was, ok := sizeOf(stamp)
		if !grown || !ok || size <= was {
			return nil, errors.Join(inputError(name, Changed(name)), file.Close())
		}
		size = was
	}
	return &localObject{file, name, size}, nil
}
