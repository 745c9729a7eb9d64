package thumbnail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/picture"
)

// maker counts how often it makes a thumbnail of size bytes, or fails.
type maker struct {
	made, size int
	err        error
}

func (m *maker) make(_ context.Context, mime string, body []byte, _ int) ([]byte, error) {
	m.made++
	return []byte(strings.Repeat(mime+string(body), m.size)), m.err
}

func payload() (string, []byte, error) { return "m", []byte("b"), nil }

// TestStore_keeps: an image is decoded once for each key, and again after the folder was removed.
func TestStore_keeps(t *testing.T) {
	m := &maker{size: 5}
	s, dir := New(Options{Make: m.make}), filepath.Join(t.TempDir(), "thumbnails")
	for n, want := range []int{1, 1, 2} {
		key := []string{"a", "a", "b"}[n]
		data, err := s.Get(t.Context(), Place{Dir: dir, Key: key}, payload)
		if string(data) != "mbmbmbmbmb" || err != nil || m.made != want {
			t.Errorf("%s: %q, %v, made %d times, want %d", key, data, err, m.made, want)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), Place{Dir: dir, Key: "a"}, payload); err != nil || m.made != 3 {
		t.Errorf("after a takedown: %v, made %d times", err, m.made)
	}
	if _, err := s.Get(t.Context(), Place{Key: "a"}, payload); err != nil || m.made != 4 {
		t.Errorf("without a folder: %v, made %d times", err, m.made)
	}
}

// TestStore_failures: an image that cannot be read is not tried again, and other failures are.
func TestStore_failures(t *testing.T) {
	crashed := &picture.Failure{Kind: schemas.KindCrashed, Message: "it died"}
	gone := errors.New("the archive is gone")
	for _, test := range []struct {
		name string
		err  error
		want error
		made int // in two attempts
	}{
		{"damaged", picture.ErrFormat, ErrNone, 1},
		{"too large", &picture.Failure{Kind: schemas.KindLimit, Message: "large"}, ErrNone, 1},
		{"too slow", &picture.Failure{Kind: schemas.KindTimeout, Message: "slow"}, ErrNone, 1},
		{"crashed", crashed, crashed, 2},
		{"cancelled", context.Canceled, context.Canceled, 2},
	} {
		m := &maker{err: test.err}
		s, dir := New(Options{Make: m.make}), t.TempDir()
		for range 2 {
			if _, err := s.Get(t.Context(), Place{Dir: dir, Key: "a"}, payload); !errors.Is(err, test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if m.made != test.made {
			t.Errorf("%s: tried %d times, want %d", test.name, m.made, test.made)
		}
	}
	s := New(Options{Make: (&maker{}).make})
	unread := func() (string, []byte, error) { return "", nil, gone }
	if _, err := s.Get(t.Context(), Place{Dir: t.TempDir(), Key: "a"}, unread); !errors.Is(err, gone) {
		t.Errorf("no payload: %v", err)
	}
}

// TestStore_bounded: the folder stays within its bound, and only thumbnails are removed from it.
func TestStore_bounded(t *testing.T) {
	m := &maker{size: 1000}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "other"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := New(Options{Make: m.make, MaxBytes: 100_000})
	for n := range 100 {
		if _, err := s.Get(t.Context(), Place{Dir: dir, Key: fmt.Sprint(n)}, payload); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(entries); n < 5 || n > 1+100_000/(2000+blockBytes) {
		t.Errorf("%d files", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); err != nil {
		t.Error(err)
	}
	// The newest is still there.
	if _, err := s.Get(t.Context(), Place{Dir: dir, Key: "99"}, payload); err != nil || m.made != 100 {
		t.Errorf("%v, made %d times", err, m.made)
	}
}

// TestStore_takedown: an image that was removed while its thumbnail was made leaves no file.
func TestStore_takedown(t *testing.T) {
	m := &maker{size: 5}
	s, dir := New(Options{Make: m.make}), filepath.Join(t.TempDir(), "thumbnails")
	valid := true
	removed := func() (string, []byte, error) {
		valid = false
		return payload()
	}
	for _, c := range []struct {
		key  string
		read func() (string, []byte, error)
		want int // files
	}{{"kept", payload, 1}, {"removed", removed, 1}} {
		at := Place{Dir: dir, Key: c.key, Valid: func() bool { return valid }}
		if _, err := s.Get(t.Context(), at, c.read); err != nil {
			t.Fatal(err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != c.want {
			t.Errorf("%s: %d files, %v, want %d", c.key, len(list), err, c.want)
		}
	}
}
