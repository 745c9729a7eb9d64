package conversion_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// objectsOf are those in the folder, by their names in it.
func objectsOf(t *testing.T, b *foldertest.Bucket) map[string]string {
	files := map[string]string{}
	for name, data := range b.Objects(t) {
		files[strings.TrimPrefix(name, "out/")] = string(data)
	}
	return files
}

// visible are those files that are not hidden.
func visible(files map[string]string) map[string]string {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, ".gleaner/") })
	return files
}

// plans are the pages of the units of two conversions. Pages of the first are there twice: in one unit, and in two.
var plans = map[string][][]string{
	"one": {{"a", "b", "b"}, {"b", "c"}},
	"two": {{"c", "d"}, {"b"}, {"c"}},
}

// convert does the remaining units of a plan, as the command does.
func convert(ctx context.Context, f folder.Folder, plan string, fresh bool) (err error) {
	c, err := conversion.Open(f, conversion.OpenOptions{Fresh: fresh})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if _, ok, err := c.Finished(plan); ok || err != nil {
		return err
	}
	rows := make([]conversion.Row, len(plans[plan]))
	for i := range rows {
		key := fmt.Sprint(plan, i)
		done := false
		if rows[i], done, err = c.Done(key); err == nil && !done {
			rows[i], err = convertUnit(f, key, i, plans[plan])
		}
		if err != nil {
			return err
		}
	}
	_, err = conversion.Finish(ctx, f, rows, conversion.Run{Plan: plan, Units: len(rows)})
	return err
}

func convertUnit(f folder.Folder, key string, id int, units [][]string) (conversion.Row, error) {
	u, err := conversion.NewUnit(f, key, schemas.Unit{ID: id}, len(units),
		[]conversion.Target{{Format: "ache-html"}, {Format: "ache-files"}})
	if err != nil {
		return conversion.Row{}, err
	}
	defer u.Abort()
	for n, url := range units[id] {
		if err := u.Write(&schemas.Capture{URL: "http://a.example/" + url, Body: fmt.Append(nil, key, n)}); err != nil {
			return conversion.Row{}, err
		}
	}
	return u.Commit(schemas.Counts{}, nil)
}

// onDisk returns the files that a run of a plan leaves on a disk. If ctx has ended, only the lists are at their places.
// The lock is left out: in a bucket, a lock that nobody holds is not a file.
func onDisk(ctx context.Context, t *testing.T, plan string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := convert(ctx, local(dir), plan, false); !errors.Is(err, ctx.Err()) {
		t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "lock" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// way is how a run is broken at its n-th request.
type way struct {
	name  string
	fault string // of that request
	rest  bool   // and of all that follow
}

var ways = []way{
	{"killed", blobtest.Refused, true}, // nothing more is done, which is what a bucket sees of a process that was killed
	{"refused", blobtest.Refused, false},
	{"answer lost", blobtest.Lost, false},
}

// broken is a run of plan one that was broken at a request.
type broken struct {
	*foldertest.Bucket
	when string
	err  error
}

// breakAtEveryRequest breaks a run at each of its requests in turn, and hands over the remaining files each time. At
// first the folder has the given files. With fresh, the run starts over.
func breakAtEveryRequest(t *testing.T, files map[string]string, fresh bool, ways []way, then func(*testing.T, broken)) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before := map[string][]byte{}
	for name, text := range files {
		before["out/"+name] = []byte(text)
	}
	step := 1
	if testing.Short() {
		step = 10
	}
	for _, kind := range []string{"gs", "s3"} {
		for _, w := range ways {
			t.Run(kind+" "+w.name, func(t *testing.T) {
				n := 1
				for ; ; n += step {
					b := broken{Bucket: foldertest.StartBucket(t, kind, before), when: fmt.Sprintf("request %d", n)}
					fault := func(request int) string {
						if request == n || w.rest && request > n {
							return w.fault
						}
						return ""
					}
					b.Fault.Store(&fault)
					b.err = convert(t.Context(), b, "one", fresh)
					b.Fault.Store(nil)
					if int(b.Seen.Load()) < n {
						break
					}
					if b.err == nil && w.rest || b.err != nil && w.fault == blobtest.Lost {
						t.Errorf("%s: %v", b.when, b.err)
					}
					then(t, b)
				}
				if t.Logf("%d requests", n-1); n < 50 {
					t.Errorf("a run has %d requests, the test tests nothing", n-1)
				}
			})
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left on the local disk: %v, %v", left, err)
	}
}

// again runs a plan in the folder of a run that is gone.
func (b broken) again(t *testing.T, plan string, fresh bool) error {
	t.Helper()
	if err := b.Remove(".gleaner/lock"); err != nil { // it is free after 75 s: see package folder
		t.Fatal(err)
	}
	return convert(t.Context(), b, plan, fresh)
}

// check fails the test unless the folder is as after a clean run, inside and out.
func (b broken) check(t *testing.T, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, objectsOf(t, b.Bucket)); diff != "" {
		t.Errorf("%s: objects (-clean +got):\n%s", b.when, diff)
	}
}

// TestBucket_brokenAtEveryRequest: whichever request of a run fails, readers find nothing false, and the next run ends
// as a clean one on a disk.
func TestBucket_brokenAtEveryRequest(t *testing.T) {
	clean := onDisk(t.Context(), t, "one")
	breakAtEveryRequest(t, nil, false, ways, func(t *testing.T, b broken) {
		now := visible(objectsOf(t, b.Bucket))
		if _, finished := now["manifest.json"]; (finished || b.err == nil) && !maps.Equal(now, visible(clean)) {
			t.Errorf("%s: it is finished, and has %q", b.when, slices.Sorted(maps.Keys(now)))
		}
		for name, text := range now {
			if text != clean[name] {
				t.Errorf("%s: there is %s: %q", b.when, name, text)
			}
		}
		if err := b.again(t, "one", false); err != nil {
			t.Errorf("%s, then again: %v", b.when, err)
		}
		b.check(t, clean)
	})
}

// TestBucket_brokenFreshRun: a run was killed while it moved files, and a second one that starts over in its folder is
// broken too. Either of them can be continued, unless it is refused. The result has no file of the other run.
func TestBucket_brokenFreshRun(t *testing.T) {
	killed, end := context.WithCancel(t.Context())
	end()
	half := onDisk(killed, t, "two")
	for _, name := range slices.Collect(maps.Keys(half)) {
		if moved, ok := strings.CutPrefix(name, ".gleaner/unit-two0/ache-html/"); ok {
			half["ache-html/"+moved] = half[name]
			delete(half, name)
		}
	}
	next := []struct {
		plan  string
		fresh bool
		clean map[string]string
	}{
		{"one", true, onDisk(t.Context(), t, "one")},
		{"one", false, onDisk(t.Context(), t, "one")},
		{"two", false, onDisk(t.Context(), t, "two")},
	}
	turn := 0
	breakAtEveryRequest(t, half, true, ways[:1], func(t *testing.T, b broken) {
		run := next[turn%len(next)]
		turn++
		switch err := b.again(t, run.plan, run.fresh); {
		case err == nil:
			b.check(t, run.clean)
		case run.fresh || !errors.Is(err, conversion.ErrOther):
			t.Errorf("%s, then %s, fresh %v: %v", b.when, run.plan, run.fresh, err)
		}
	})
}

// TestFinish_twiceAtOnce: of two attempts at the end, as runners may make, both find all files, and nothing is lost.
func TestFinish_twiceAtOnce(t *testing.T) {
	want := onDisk(t.Context(), t, "one")
	for _, kind := range []string{"gs", "s3"} {
		b := foldertest.StartBucket(t, kind, nil)
		c, err := conversion.Open(b, conversion.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]conversion.Row, 2)
		for i := range rows {
			if rows[i], err = convertUnit(b, fmt.Sprint("one", i), i, plans["one"]); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error)
		for range 2 {
			go func() {
				_, err := conversion.Finish(t.Context(), b, rows, conversion.Run{Plan: "one", Units: 2})
				ended <- err
			}()
		}
		if err := errors.Join(<-ended, <-ended, c.Close()); err != nil {
			t.Error(kind, err)
		}
		broken{Bucket: b, when: kind}.check(t, want)
	}
}
