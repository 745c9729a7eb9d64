package work

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// A pipe that stays open must not keep a command that was told to end, wherever in its input it waits.
func TestUntil(t *testing.T) {
	for _, tt := range []struct{ name, arrived string }{
		{"nothing", ""},
		{"half a name", "crawls/a.wa"},
		{"names", "crawls/a.warc\ncrawls/b.warc\n"},
		{"half a record", "WARC/1.0\r\nWARC-Type: resp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for use, read := range map[string]func(context.Context, io.Reader) error{
				"itself": func(ctx context.Context, r io.Reader) error {
					_, err := io.ReadAll(Until(ctx, r))
					return err
				},
				"archive or list": func(ctx context.Context, r io.Reader) error {
					_, _, release, err := Stdin(ctx, r)
					release()
					return err
				},
				"list": func(ctx context.Context, r io.Reader) error {
					_, err := Files(ctx, blob.New(blob.Options{}), []string{"-"}, r, 1<<20)
					return err
				},
			} {
				ends(t, use, tt.arrived, read)
			}
		})
	}
}

// ends tests that read returns after its context has ended, while its input is open.
func ends(t *testing.T, use, arrived string, read func(context.Context, io.Reader) error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w := io.Pipe()
	why, failed := errors.New("told to end"), make(chan error, 1)
	go func() { failed <- read(ctx, r) }()
	if _, err := io.WriteString(w, arrived); err != nil {
		t.Fatal(err)
	}
	cancel(why)
	select {
	case err := <-failed:
		if !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", use, err, why)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%s: it still waits", use)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
