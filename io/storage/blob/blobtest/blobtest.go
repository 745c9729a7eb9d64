// Package blobtest provides object stores and web servers for tests, on loopback, and makes some of their requests
// fail. The object stores are emulators, fake-gcs-server and gofakes3: they cannot prove the behaviour of the real
// ones.
package blobtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	// What reads the services that are stood in for.
	_ "github.com/gleaner-web/gleaner/io/storage/gs"
	_ "github.com/gleaner-web/gleaner/io/storage/s3"
)

// Backend is a service with objects in it.
type Backend struct {
	URL  string // of the server: blob.Options.GoogleEndpoint is URL + "/storage/v1/"
	Root string // of the names of its objects: a bucket, or a web server's root

	objects func() (map[string][]byte, error)
}

// Objects returns the current objects by their names beneath Root, without a request.
func (b Backend) Objects(t *testing.T) map[string][]byte {
	t.Helper()
	objects, err := b.objects()
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// Kinds are the available services.
var Kinds = []string{"gs", "s3", "web"}

// Start serves objects, by their names, in a service of one kind, until the test ends. Requests go through f, which may
// be nil. For S3 it sets the environment.
func Start(t *testing.T, kind string, f *Faults, objects map[string][]byte) Backend {
	t.Helper()
	if f == nil {
		f = &Faults{}
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	b := Backend{URL: server.URL, Root: kind + "://b/"}
	var err error
	switch kind {
	case "gs":
		f.behind, b.objects, err = google(strings.TrimPrefix(server.URL, "http://"), objects)
	case "s3":
		f.behind, b.objects, err = amazon(objects)
		t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
		t.Setenv("AWS_REGION", "eu-west-1")
		t.Setenv("AWS_ACCESS_KEY_ID", "user")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	case "web":
		f.behind, b.objects = web(objects), func() (map[string][]byte, error) { return objects, nil }
		b.Root = server.URL + "/"
	default:
		t.Fatalf("no service %q", kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func google(host string, objects map[string][]byte) (http.Handler, func() (map[string][]byte, error), error) {
	var all []fakestorage.Object
	for name, data := range objects {
		all = append(all, fakestorage.Object{
			ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "b", Name: name},
			Content:     data,
		})
	}
	s, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		InitialObjects: all, NoListener: true,
		PublicHost: host,
	})
	if err != nil {
		return nil, nil, err
	}
	s.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "b"})
	now := func() (map[string][]byte, error) {
		all, err := s.ListObjectsWithOptionsPaginated("b", fakestorage.ListOptions{})
		objects := map[string][]byte{}
		for _, attrs := range all.Objects {
			o, get := s.GetObject("b", attrs.Name)
			objects[attrs.Name], err = o.Content, errors.Join(err, get)
		}
		return objects, err
	}
	return s.HTTPHandler(), now, nil
}

func amazon(objects map[string][]byte) (http.Handler, func() (map[string][]byte, error), error) {
	memory := s3mem.New()
	err := memory.CreateBucket("b")
	for name, data := range objects {
		_, put := memory.PutObject("b", name, map[string]string{}, bytes.NewReader(data), int64(len(data)), nil)
		err = errors.Join(err, put)
	}
	now := func() (map[string][]byte, error) {
		all, err := memory.ListBucket("b", &gofakes3.Prefix{}, gofakes3.ListBucketPage{})
		if err != nil {
			return nil, err
		}
		objects := map[string][]byte{}
		for _, found := range all.Contents {
			o, err := memory.GetObject("b", found.Key, nil)
			if err != nil {
				return nil, err
			}
			if objects[found.Key], err = io.ReadAll(o.Contents); err != nil {
				return nil, err
			}
		}
		return objects, nil
	}
	return gofakes3.New(memory, gofakes3.WithLogger(gofakes3.DiscardLog())).Server(), now, err
}

func web(objects map[string][]byte) http.Handler {
	changed := time.Date(2024, 3, 10, 12, 0, 0, 0, time.UTC)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := objects[r.URL.Path[1:]]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", strconv.Quote(fmt.Sprint(len(data))))
		http.ServeContent(w, r, "", changed, bytes.NewReader(data))
	})
}
