package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A backend is a service with objects in it, without faults.
type backend struct {
	root    string // of the objects' names
	handler func(host string, objects map[string][]byte) (http.Handler, error)
	options func(tb testing.TB, url string) Options
}

var backends = map[string]backend{
	"gs": {
		root: "gs://b/",
		handler: func(host string, objects map[string][]byte) (http.Handler, error) {
			var all []fakestorage.Object
			for name, data := range objects {
				all = append(all, fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "b", Name: name}, Content: data})
			}
			s, err := fakestorage.NewServerWithOptions(fakestorage.Options{InitialObjects: all, NoListener: true, PublicHost: host})
			if err != nil {
				return nil, err
			}
			return s.HTTPHandler(), nil
		},
		options: func(_ testing.TB, url string) Options { return Options{GoogleEndpoint: url + "/storage/v1/"} },
	},
	"s3": {
		root: "s3://b/",
		handler: func(_ string, objects map[string][]byte) (http.Handler, error) {
			memory := s3mem.New()
			return gofakes3.New(memory, gofakes3.WithLogger(gofakes3.DiscardLog())).Server(), fill(memory, objects)
		},
		options: func(tb testing.TB, url string) Options {
			t := tb.(*testing.T)
			t.Setenv("AWS_ENDPOINT_URL_S3", url)
			t.Setenv("AWS_REGION", "eu-west-1")
			t.Setenv("AWS_ACCESS_KEY_ID", "user")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
			return Options{}
		},
	},
	"web": {
		handler: func(_ string, objects map[string][]byte) (http.Handler, error) {
			changed := time.Date(2024, 3, 10, 12, 0, 0, 0, time.UTC)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if data, ok := objects[r.URL.Path[1:]]; ok {
					w.Header().Set("ETag", strconv.Quote(fmt.Sprint(len(data))))
					http.ServeContent(w, r, "", changed, bytes.NewReader(data))
				} else {
					http.NotFound(w, r)
				}
			}), nil
		},
		options: func(testing.TB, string) Options { return Options{PrivateHosts: true} },
	},
}

// fill puts objects into the bucket "b".
func fill(memory *s3mem.Backend, objects map[string][]byte) error {
	exists, err := memory.BucketExists("b")
	if !exists {
		err = errors.Join(err, memory.CreateBucket("b"))
	}
	for name, data := range objects {
		_, put := memory.PutObject("b", name, map[string]string{}, bytes.NewReader(data), int64(len(data)), nil)
		err = errors.Join(err, put)
	}
	return err
}

// start serves objects, behind faults, to the store that it returns.
func (b backend) start(t *testing.T, f *faults, objects map[string][]byte) (store *Store, root string) {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	h, err := b.handler(strings.TrimPrefix(server.URL, "http://"), objects)
	if err != nil {
		t.Fatal(err)
	}
	f.behind = h
	o := b.options(t, server.URL)
	o.wait = patience{first: time.Millisecond, last: 20 * time.Millisecond, stall: 100 * time.Millisecond}
	store = New(o)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	if b.root == "" {
		b.root = server.URL + "/"
	}
	return store, b.root
}

// faults is a server that passes requests on, and lets one in three go wrong.
type faults struct {
	behind http.Handler

	mu     sync.Mutex
	rand   *rand.Rand
	left   int // faults that are still to be made
	inARow int
	made   map[string]int
}

// maxInARow is fewer than the attempts that a request has.
const maxInARow = maxAttempts / 2

// next chooses the fault of a request, if any.
func (f *faults) next() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 || f.inARow == maxInARow || f.rand.IntN(3) > 0 {
		f.inARow = 0
		return ""
	}
	f.left--
	f.inARow++
	kinds := []string{"unavailable", "throttled", "reset", "truncated", "cut behind the head", "stalled"}
	kind := kinds[f.rand.IntN(len(kinds))]
	if kind == "stalled" && f.rand.IntN(4) > 0 {
		kind = "truncated" // waiting takes time
	}
	f.made[kind]++
	return kind
}

func (f *faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch kind := f.next(); kind {
	case "":
		f.behind.ServeHTTP(w, r)
	case "unavailable":
		http.Error(w, "later", http.StatusServiceUnavailable)
	case "throttled":
		http.Error(w, "too much", http.StatusTooManyRequests)
	case "reset":
		hangUp(w)
	default:
		if r.Method == http.MethodHead { // it has no body to be cut
			hangUp(w)
			return
		}
		f.spoil(kind, w, r)
	}
}

// spoil gives a good answer's head and then not all of its body.
func (f *faults) spoil(kind string, w http.ResponseWriter, r *http.Request) {
	good := httptest.NewRecorder()
	f.behind.ServeHTTP(good, r)
	body := good.Body.Bytes()
	for name, values := range good.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(max(len(body), 1)))
	w.WriteHeader(good.Code)
	if kind != "cut behind the head" {
		_, _ = w.Write(body[:len(body)/2])
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(err)
	}
	if kind == "stalled" {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	hangUp(w)
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // then closing is a reset
	}
	_ = c.Close()
}

// manyFaults are made in each of the three services: together more than a thousand.
const manyFaults = 350

func TestReadAt_faults(t *testing.T) {
	const size = 3 << 20
	for name, b := range backends {
		t.Run(name, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			rnd := rand.New(rand.NewPCG(seed, 1))
			f := &faults{rand: rand.New(rand.NewPCG(seed, 2)), left: manyFaults, made: map[string]int{}}
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			store, root := b.start(t, f, map[string][]byte{"x/big": data})
			for f.left > 0 {
				o, err := store.Open(t.Context(), root+"x/big")
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := readMuch(o, data, rnd); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := o.Close(); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("seed %d: %v", seed, f.made)
		})
	}
}

// readMuch reads here and there and then all of an object.
func readMuch(o Object, data []byte, rnd *rand.Rand) error {
	for range 20 {
		off := rnd.IntN(len(data))
		p := make([]byte, rnd.IntN(len(data)-off)/8+1)
		if n, err := o.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+n]) {
			return fmt.Errorf("%d bytes at %d: %d, %w", len(p), off, n, err)
		}
	}
	got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || !bytes.Equal(got, data) {
		return fmt.Errorf("all: %d of %d bytes, %w", len(got), len(data), err)
	}
	return nil
}

func TestExpand_faults(t *testing.T) {
	objects := map[string][]byte{}
	for i := range 25 {
		objects[fmt.Sprintf("x/%02d.warc", i)] = []byte("w")
		objects[fmt.Sprintf("x/y/%02d.arc", i)] = []byte("a")
	}
	for name, b := range backends {
		if b.root == "" {
			continue // the web has no folders
		}
		t.Run(name, func(t *testing.T) {
			f := &faults{rand: rand.New(rand.NewPCG(1, 2)), left: 40, made: map[string]int{}}
			store, root := b.start(t, f, objects)
			var want []string
			for i := range 25 {
				want = append(want, fmt.Sprintf("%sx/%02d.warc", root, i))
			}
			for f.left > 0 {
				got, err := store.Expand(t.Context(), []string{root + "**/*.warc"}, nil)
				if diff := cmp.Diff(want, names(got)); diff != "" || err != nil {
					t.Fatalf("%v (-want +got):\n%s", err, diff)
				}
			}
		})
	}
}
