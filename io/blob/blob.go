// Package blob finds and opens the files that archives are read from: on local disks and in Google Cloud Storage.
//
// [Store.Expand] turns what a user writes on a command line into a sorted list of files: names, folders, patterns,
// lists of names. [Store.Open] opens one of them for ranged reads, which is what a worker needs that starts in the
// middle of a file. Nothing here looks into a file: its format is told by its content, elsewhere. It does not write.
//
//	store := blob.New(blob.Options{})
//	defer store.Close()
//	files, err := store.Expand(ctx, []string{"crawls/**/*.warc.gz", "gs://bucket/2025/"}, os.Stdin)
//	// …
//	object, err := store.Open(ctx, files[0].Name)
//
// What Expand takes:
//
//	name          a file, or a folder with all files beneath it
//	pattern       * and ? within a folder, [a-z], [!a-z], {a,b}, and ** across folders; a file that has
//	              such a name itself is taken literally
//	gs://b/name   an object, or all objects beneath gs://b/name/; patterns likewise
//	@list.txt     a file with one of the above on each line; relative names are relative to its folder; blank
//	              lines and lines that begin with # are skipped
//	-             such a list on standard input, relative names relative to the working directory
//
// Files and folders whose name begins with a dot are skipped, unless they are named. Links to folders are followed,
// once for each folder, but not by **.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"cloud.google.com/go/storage"
	"google.golang.org/api/option"

	"github.com/gleaner-web/gleaner/schemas"
)

// Info describes a file that Expand has found, or a group of files.
type Info struct {
	Name  string         // a cleaned path or a gs:// URL; what Open takes. The folder of a group
	Size  int64          // bytes; the sum of a group
	Stamp string         // changes when the content does: "size-modification time in ns", or the object's generation
	Group *schemas.Group // nil for a file
}

// Object is an open file. ReadAt may be called by several goroutines at the same time.
type Object interface {
	io.ReaderAt
	io.Closer
	Name() string // as given to Open
	Size() int64  // bytes, when it was opened
}

// Options say how to reach the cloud; the zero value takes the defaults of Google's client library, including its
// credentials.
type Options struct {
	Endpoint  string // of a server that stands in for Google's, such as "http://host:1/storage/v1/"; called without credentials
	UserAgent string // sent along with each request
}

// Store finds and opens files. Its methods may be called by several goroutines at the same time.
type Store struct {
	o      Options
	mu     sync.Mutex
	client *storage.Client // made when the first gs:// name is met
}

// New returns a Store. It connects to nothing until it has to.
func New(o Options) *Store { return &Store{o: o} }

// Close ends the connections to the cloud. The objects that are still open must not be read afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		return nil
	}
	err := s.client.Close()
	s.client = nil
	if err != nil {
		return fmt.Errorf("blob: close: %w", err)
	}
	return nil
}

// Open opens the file called name, a path or a gs:// URL, for ranged reads. The error is an *InputError, or that of
// ctx. Reads of a gs:// object end when ctx does.
func (s *Store) Open(ctx context.Context, name string) (Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch scheme(name) {
	case "gs":
		return s.openCloud(ctx, name)
	case "":
		return openLocal(name)
	}
	return nil, unsupported(name)
}

// ReadFile reads the file called name, of which at most limit bytes. One that is not there is ErrNotFound.
func (s *Store) ReadFile(ctx context.Context, name string, limit int64) ([]byte, error) {
	o, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.NewSectionReader(o, 0, min(o.Size(), limit)))
	return data, errors.Join(err, o.Close())
}

// maxAttempts is how often a request to the cloud is made before it has failed.
const maxAttempts = 8

// cloud returns the client, made on first use.
func (s *Store) cloud(ctx context.Context) (*storage.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	var opts []option.ClientOption
	if s.o.UserAgent != "" {
		opts = append(opts, option.WithUserAgent(s.o.UserAgent))
	}
	if s.o.Endpoint != "" {
		opts = append(opts, option.WithEndpoint(s.o.Endpoint), option.WithoutAuthentication())
	}
	// The client outlives the call that first needs it.
	client, err := storage.NewClient(context.WithoutCancel(ctx), opts...)
	if err != nil {
		return nil, err
	}
	// The library would try for ever; with its pauses this is about two minutes.
	client.SetRetry(storage.WithMaxAttempts(maxAttempts))
	s.client = client
	return client, nil
}

// scheme returns the scheme of name in lower case, or "" for a path.
func scheme(name string) string {
	before, _, found := strings.Cut(name, "://")
	if !found || before == "" || strings.ContainsAny(before, `/\.*?[{`) {
		return ""
	}
	return strings.ToLower(before)
}

// localObject is an open local file.
type localObject struct {
	*os.File
	size int64
}

func (o *localObject) Size() int64 { return o.size }

func openLocal(name string) (Object, error) {
	// Asked first, because opening a named pipe waits for a writer.
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, inputError(name, err)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, inputError(name, err)
	}
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(inputError(name, err), file.Close())
	}
	return &localObject{file, info.Size()}, nil
}
