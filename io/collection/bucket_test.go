package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
)

// few are options by which units have few shards, since each takes several requests of a bucket.
var few = shard.Options{Formats: []string{holdings.FormatCDXJ}}

// visible are those objects that a reader of the folder looks at, by their names in it.
func visible(objects map[string][]byte) map[string]string {
	files := map[string]string{}
	for name, data := range objects {
		if name = strings.TrimPrefix(name, "out/"); !strings.HasPrefix(name, holdings.HiddenDir) {
			files[name] = string(data)
		}
	}
	return files
}

// cleanBuckets are what cleanBucket returned, by kind and files.
var cleanBuckets = map[string]map[string][]byte{}

// cleanBucket is what one clean run over files leaves in a bucket, which is what it leaves on a disk.
func cleanBucket(t *testing.T, kind string, files ...string) map[string][]byte {
	t.Helper()
	key := fmt.Sprint(kind, files)
	if cleanBuckets[key] != nil {
		return cleanBuckets[key]
	}
	b, dir := foldertest.StartBucket(t, kind, nil), t.TempDir()
	for _, f := range []folder.Folder{b, local(dir)} {
		if _, _, err := runIn(t, f, few, files...); err != nil {
			t.Fatal(err)
		}
	}
	objects := b.Objects(t)
	if diff := cmp.Diff(shelftest.Contents(t, dir), visible(objects)); diff != "" {
		t.Errorf("files on a disk and in a bucket differ (-disk +bucket):\n%s", diff)
	}
	cleanBuckets[key] = objects
	return objects
}

// change is a run over a plan in a folder where another one was done.
type change struct {
	kind          string
	before, after []string
}

// The changes of these tests. Units change places, come and go.
var changes = []change{
	{before: []string{"a", "b"}, after: []string{"b", "c", "a"}},
	{before: []string{"a", "b", "c"}, after: []string{"b", "a", "d"}},
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

// raced is set under the race detector.
var raced bool

// TestBucket_brokenAtEveryRequest breaks a run at one of its requests, and then the next run at another one. Each time
// readers find the old state, the new one, or a folder that says it is neither. The next run ends as a clean one,
// whatever its plan is.
func TestBucket_brokenAtEveryRequest(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	step := 3 // of three requests one, in each kind and change another one: all of them take half a minute of a processor
	if os.Getenv("GLEANER_EVERY_REQUEST") != "" {
		step = 1
	} else if testing.Short() || raced {
		step = 10
	}
	for i, kind := range []string{"gs", "s3"} {
		for j, c := range changes {
			c.kind = kind
			for _, w := range ways[:1+2*j] { // the first change by the first way alone: requests take time
				t.Run(fmt.Sprintf("%s %v to %v, %s", kind, c.before, c.after, w.name), func(t *testing.T) {
					n := 1 + (i+j)%step
					for c.broken(t, w, n, n/step+i+j) {
						n += step
					}
					if t.Logf("%d requests", n-1); n < 40 {
						t.Errorf("a run has %d requests, the test tests nothing", n-1)
					}
				})
			}
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left on the local disk: %v, %v", left, err)
	}
}

// broken breaks a run at its n-th request, looks at what remains, and runs again over one of three plans, whose turn
// it is. It returns whether there were so many requests.
func (c change) broken(t *testing.T, w way, n, turn int) bool {
	b := foldertest.StartBucket(t, c.kind, cleanBucket(t, c.kind, c.before...))
	fault := func(request int) string {
		if request == n || w.rest && request > n {
			return w.fault
		}
		return ""
	}
	b.Fault.Store(&fault)
	_, did, err := runIn(t, b, few, c.after...)
	b.Fault.Store(nil)
	if int(b.Seen.Load()) < n {
		return false
	}
	when := fmt.Sprintf("request %d", n)
	if err == nil && w.rest || err != nil && w.fault == blobtest.Lost {
		t.Errorf("%s: run: %v", when, err)
	}
	c.checkState(t, when, b, err == nil)
	if err := b.Remove(holdings.Hidden("lock")); err != nil { // it is free after 75 s: see package folder
		t.Fatal(err)
	}
	next := [][]string{c.after, c.before, {"d", "b"}}[turn%3]
	_, more, err := runIn(t, b, few, next...)
	if err != nil {
		t.Errorf("%s: run over %v: %v", when, next, err)
	}
	for _, file := range append(did, more...) {
		if slices.Contains(c.before, file) && slices.Contains(c.after, file) {
			t.Errorf("%s, then %v: %s was done again", when, next, file)
		}
	}
	c.checkEnd(t, fmt.Sprintf("%s, then %v", when, next), b, next)
	return true
}

// checkState fails unless the bucket has all objects of the state before or after, and the manifest of that state. So
// readers find a collection at each moment. Each other object is whole, and rows are true. After a run that succeeded
// it is in the state after.
func (c change) checkState(t *testing.T, when string, b *foldertest.Bucket, done bool) {
	t.Helper()
	before, after := visible(cleanBucket(t, c.kind, c.before...)), visible(cleanBucket(t, c.kind, c.after...))
	objects := b.Objects(t)
	now := visible(objects)
	if done && !maps.Equal(now, after) {
		t.Errorf("%s: the run ended, and the files are others: %q", when, slices.Sorted(maps.Keys(now)))
	}
	if now[holdings.ManifestFile] != before[holdings.ManifestFile] &&
		now[holdings.ManifestFile] != after[holdings.ManifestFile] {
		t.Errorf("%s: the manifest is that of neither plan", when)
	}
	state := before
	if now[holdings.ManifestFile] == after[holdings.ManifestFile] {
		state = after
	}
	for name, text := range state {
		if now[name] != text && (name != ledger.IndexFile || now[name] != after[name]) {
			t.Errorf("%s: %s is not as the manifest says", when, name)
		}
	}
	whole := map[string]bool{}
	for _, files := range []map[string]string{before, after} {
		for _, text := range files {
			whole[text] = true
		}
	}
	for name, text := range now {
		if !whole[text] {
			t.Errorf("%s: %s is of neither plan", when, name)
		}
	}
	checkRows(t, when, b, objects)
}

// checkRows fails when a shard of a unit that counts as done is there with other bytes than the row says.
func checkRows(t *testing.T, when string, b *foldertest.Bucket, objects map[string][]byte) {
	t.Helper()
	rows, err := ledger.Rows(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		for _, s := range r.Shards {
			data, there := objects["out/"+s.Name]
			sum := sha256.Sum256(data)
			if there && hex.EncodeToString(sum[:]) != s.SHA256 {
				t.Errorf("%s: %s is not what its unit, %s, has written", when, s.Name, r.Inputs[0].File)
			}
		}
	}
}

// checkEnd fails unless the bucket is as after one clean run over files, inside and out.
func (c change) checkEnd(t *testing.T, when string, b *foldertest.Bucket, files []string) {
	t.Helper()
	got, want := b.Objects(t), cleanBucket(t, c.kind, files...)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("%s: objects (-clean +got):\n%s", when, diff)
	}
	if !maps.Equal(visible(got), visible(want)) {
		t.Errorf("%s: other bytes than those of a clean run", when)
	}
}
