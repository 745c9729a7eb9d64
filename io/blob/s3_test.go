package blob

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// newS3 is a bucket "b" whose requests go through seen.
func newS3(t *testing.T, o Options, seen func(*http.Request), objects map[string][]byte) (*Store, *s3mem.Backend) {
	t.Helper()
	memory := s3mem.New()
	b := backends["s3"]
	b.handler = func(string, map[string][]byte) (http.Handler, error) {
		fake := gofakes3.New(memory, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			seen(r)
			fake.ServeHTTP(w, r)
		})
		return h, fill(memory, objects)
	}
	options := b.options
	b.options = func(tb testing.TB, url string) Options {
		options(tb, url)
		return o
	}
	store, _ := b.start(t, &faults{}, nil)
	return store, memory
}

func TestS3_errors(t *testing.T) {
	store, _ := newS3(t, Options{}, func(*http.Request) {}, map[string][]byte{"a/b": []byte("x")})
	for name, kind := range map[string]error{
		"s3://b/nope": ErrNotFound, "s3://other/a": ErrNotFound, "s3://other/*": ErrNotFound, "s3://b/*.zip": ErrEmpty, "s3://b/[": ErrSyntax,
		"s3://*/a": ErrSyntax, "s3://": ErrSyntax,
	} {
		_, err := store.Expand(t.Context(), []string{name}, nil)
		var input *InputError
		if !errors.Is(err, kind) || !errors.As(err, &input) || input.Arg != name {
			t.Errorf("Expand(%q): %v, want %v", name, err, kind)
		}
	}
}

func TestS3_replacedObject(t *testing.T) {
	store, memory := newS3(t, Options{}, func(*http.Request) {}, map[string][]byte{"a": make([]byte, 3<<20)})
	o, err := store.Open(t.Context(), "s3://b/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	p := make([]byte, 100)
	if _, err := o.ReadAt(p, 0); err != nil {
		t.Fatal(err)
	}
	if err := fill(memory, map[string][]byte{"a": []byte(time.Now().String())}); err != nil {
		t.Fatal(err)
	}
	if n, err := o.ReadAt(p, 2<<20); !errors.Is(err, ErrChanged) {
		t.Errorf("ReadAt = %d, %v, want ErrChanged", n, err)
	}
}

func TestS3_requesterPays(t *testing.T) {
	asked, paid := 0, 0
	store, _ := newS3(t, Options{RequesterPays: "me"}, func(r *http.Request) {
		asked++
		if r.Header.Get("X-Amz-Request-Payer") == "requester" {
			paid++
		}
	}, map[string][]byte{"x/a": []byte("a")})
	if _, err := store.Expand(t.Context(), []string{"s3://b/x/"}, nil); err != nil {
		t.Fatal(err)
	}
	o, err := store.Open(t.Context(), "s3://b/x/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := o.ReadAt(make([]byte, 1), 0); err != nil {
		t.Fatal(err)
	}
	if asked != 3 || paid != asked {
		t.Errorf("%d of %d requests were paid for, want 3 of 3", paid, asked)
	}
}
