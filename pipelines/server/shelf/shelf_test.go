package shelf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestNameOf: names of collections are unique, need no escape, and are never a path or one of the server's own.
func TestNameOf(t *testing.T) {
	taken := []string{"jobs", "help"}
	for _, tt := range []struct{ folder, want string }{
		{"/data/crawl", "crawl"},
		{"/data/crawl/", "crawl-2"},
		{"other/crawl", "crawl-3"},
		{"crawl-2", "crawl-2-2"},
		{"s3://bucket/2024/crawl.1", "crawl.1"},
		{"gs://bucket", "bucket"},
		{`C:\data\out`, "out"},
		{"/data/jobs", "jobs-2"},
		{"/data/my crawl?#%", "my-crawl---"},
		{"/data/été", "-t-"},
		{"/data/東京", "collection"},
		{"..", "collection-2"},
		{".", "collection-3"},
		{"/", "collection-4"},
		{"", "collection-5"},
		{"...", "collection-6"},
		{"/data/<script>", "-script-"},
	} {
		got := nameOf(tt.folder, taken)
		if got != tt.want {
			t.Errorf("nameOf(%q) = %q, want %q", tt.folder, got, tt.want)
		}
		taken = append(taken, got)
	}
}

// TestOpen_refused: a shelf needs a folder, and refuses names that cannot be opened.
func TestOpen_refused(t *testing.T) {
	for _, folders := range [][]string{nil, {}, {"http://a.example/x"}, {t.TempDir(), "ftp://a.example/"}} {
		if s, err := Open(t.Context(), folders, nil, Options{}); err == nil {
			_ = s.Close() // the test has failed
			t.Errorf("%q is opened", folders)
		}
	}
}

// TestOnce: callers with one key share one result; an error is not kept, and neither is a forgotten result.
func TestOnce(t *testing.T) {
	s := &Snapshot{memo: map[string]*memo{}}
	var made atomic.Int64
	begun, goOn := make(chan struct{}, 2), make(chan struct{})
	slow := func() (int64, error) {
		begun <- struct{}{}
		<-goOn
		return made.Add(1), nil
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if n, err := Once(s, "slow", slow); n != 1 || err != nil {
				t.Errorf("%d, %v; want the first result", n, err)
			}
		})
	}
	<-begun
	if n, known := Known[int64](s, "slow"); known {
		t.Errorf("%d is known while it is being made", n)
	}
	if n, err := Once(s, "other", func() (string, error) { return "at once", nil }); n != "at once" || err != nil {
		t.Errorf("another key: %q, %v", n, err)
	}
	close(goOn)
	all.Wait()
	if n, known := Known[int64](s, "slow"); n != 1 || !known {
		t.Errorf("%d, %v; it is not known", n, known)
	}
	if _, known := Known[int64](s, "never"); known {
		t.Error("a key without a result is known")
	}
	s.Forget("slow")
	if n, err := Once(s, "slow", slow); n != 2 || err != nil {
		t.Errorf("forgotten: %d, %v", n, err)
	}
}

// TestOnce_failed: after an error or a panic the next caller tries again.
func TestOnce_failed(t *testing.T) {
	s := &Snapshot{memo: map[string]*memo{}}
	errMake := errors.New("make")
	for i := range 3 {
		if _, err := Once(s, "failing", func() (int, error) { return i, errMake }); !errors.Is(err, errMake) {
			t.Errorf("an error: %v", err)
		}
	}
	if n, err := Once(s, "failing", func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("after an error: %d, %v", n, err)
	}
	func() {
		defer func() { _ = recover() }() // it is made to panic
		_, _ = Once(s, "panics", func() (int, error) { panic("hostile data") })
	}()
	if n, err := Once(s, "panics", func() (int, error) { return 8, nil }); n != 8 || err != nil {
		t.Errorf("after a panic: %d, %v", n, err)
	}
}

// TestHold_whileReplaced: a snapshot stays open for its users while others are published, and is closed after them.
func TestHold_whileReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	adopted(t, dir, "one")
	before := pins.Load()
	s, err := Open(t.Context(), []string{dir}, blob.New(blob.Options{}), Options{NoIndex: true, Poll: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Find("")
	var all sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				now, release, ok := c.Hold()
				if !ok {
					t.Error("there is no snapshot")
					return
				}
				n := 0
				for _, err := range now.Part.Documents(t.Context()) {
					if err != nil {
						t.Error(err)
					}
					n++
				}
				if n != len(now.Part.DocumentShards()) {
					t.Errorf("%d documents in %d shards", n, len(now.Part.DocumentShards()))
				}
				release()
				release() // a second time changes nothing
			}
		})
	}
	for i := range 5 {
		now, release, _ := c.Hold()
		adopted(t, dir, fmt.Sprint("more", i))
		if !c.Renew(t.Context(), now) {
			t.Error("Renew has not found the next manifest")
		}
		release()
	}
	close(stop)
	all.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for pins.Load() != before { // the last one is closed after its last user
		if t.Context().Err() != nil {
			t.Fatal("files of old snapshots stay open")
		}
		time.Sleep(time.Millisecond)
	}
}

// TestIsCurrent: a snapshot is current until the folder changes, whether or not somebody has looked.
func TestIsCurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	adopted(t, dir, "one")
	s, err := Open(t.Context(), []string{dir}, blob.New(blob.Options{}), Options{NoIndex: true, Poll: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // it is only read
	c := s.Find("")
	old, release, _ := c.Hold()
	defer release()
	if !c.IsCurrent(old) {
		t.Error("nothing has changed, and the snapshot is old")
	}
	adopted(t, dir, "two")
	if c.IsCurrent(old) {
		t.Error("the folder has changed, and the snapshot is current")
	}
	c.Renew(t.Context(), old)
	next, let, _ := c.Hold()
	defer let()
	if c.IsCurrent(old) || !c.IsCurrent(next) || next.Order <= old.Order {
		t.Errorf("after a look: old %v, next %v, orders %d and %d", c.IsCurrent(old), c.IsCurrent(next), old.Order, next.Order)
	}
}

// TestWarm: each snapshot is warmed once, and a shelf that closes waits for it.
func TestWarm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	adopted(t, dir, "one")
	warmed := make(chan string, 10)
	s, err := Open(t.Context(), []string{dir}, blob.New(blob.Options{}), Options{
		NoIndex: true, Poll: time.Millisecond, Reserved: []string{"out"},
		Warm: func(_ context.Context, c *Collection, now *Snapshot) { warmed <- c.Name() + " " + now.ID },
	})
	if err != nil {
		t.Fatal(err)
	}
	first := <-warmed
	adopted(t, dir, "two")
	if second := <-warmed; second == first || !strings.HasPrefix(second, "out-2 ") {
		t.Errorf("warmed %s, then %s", first, second)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	select {
	case again := <-warmed:
		t.Errorf("%s is warmed again", again)
	default:
	}
}

// TestLook_damaged: a manifest that cannot be read is reported, while the previous snapshot answers.
func TestLook_damaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	adopted(t, dir, "one")
	s, err := Open(t.Context(), []string{dir}, blob.New(blob.Options{}), Options{NoIndex: true, Poll: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // it is only read
	c := s.Find("out")
	manifest := filepath.Join(dir, "manifest.json")
	sound, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "{", "[]", string(sound[:len(sound)/2])} {
		if err := os.WriteFile(manifest, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		c.look(t.Context())
		now, release, ok := c.Hold()
		if !ok || texts(t, now) != "one" || c.State().Err == "" {
			t.Errorf("%.20q: %v, %+v", bad, ok, c.State())
		}
		release()
	}
	if err := os.WriteFile(manifest, sound, 0o644); err != nil {
		t.Fatal(err)
	}
	if c.look(t.Context()); c.State().Err != "" {
		t.Errorf("mended, it says %q", c.State().Err)
	}
}
