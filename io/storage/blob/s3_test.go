package blob_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

func TestS3_errors(t *testing.T) {
	store, _ := start(t, "s3", nil, map[string][]byte{"a/b": []byte("x")})
	for name, kind := range map[string]error{
		"s3://b/nope": blob.ErrNotFound, "s3://other/a": blob.ErrNotFound, "s3://other/*": blob.ErrNotFound,
		"s3://b/*.zip": blob.ErrEmpty, "s3://b/[": blob.ErrSyntax,
		"s3://*/a": blob.ErrSyntax, "s3://": blob.ErrSyntax,
	} {
		_, err := store.Expand(t.Context(), []string{name}, nil)
		var input *blob.InputError
		if !errors.Is(err, kind) || !errors.As(err, &input) || input.Arg != name {
			t.Errorf("Expand(%q): %v, want %v", name, err, kind)
		}
	}
}

func TestS3_requesterPays(t *testing.T) {
	asked, paid := 0, 0
	f := &blobtest.Faults{Seen: func(r *http.Request) {
		asked++
		if r.Header.Get("X-Amz-Request-Payer") == "requester" {
			paid++
		}
	}}
	blobtest.Start(t, "s3", f, map[string][]byte{"x/a": []byte("a")})
	store := blob.New(blob.Options{RequesterPays: "me"})
	defer store.Close()
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
