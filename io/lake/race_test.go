//go:build !noiceberg && !local

package lake

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// worker is the variable that makes this program a process that commits. It has its folder, its name, and the first and
// last commit.
const worker = "GLEANER_TEST_LAKE"

func TestMain(m *testing.M) {
	if what := strings.Fields(os.Getenv(worker)); len(what) == 4 {
		from, err := strconv.Atoi(what[2])
		n, err2 := strconv.Atoi(what[3])
		if err = errors.Join(err, err2); err == nil {
			err = commitAll(local(what[0]), what[1], from, n, os.Stdout)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// commitAll makes the commits from from to n under a name, and writes a line after each.
func commitAll(f folder.Folder, name string, from, n int, out io.Writer) error {
	t, err := Open(context.Background(), f, Options{})
	if err != nil {
		return err
	}
	size, err := f.Size(copyOf(name, 0))
	if err != nil {
		return err
	}
	for i := from; i < n; i++ {
		if _, err := t.Commit(context.Background(), step(name, i, size)); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, i); err != nil {
			return err
		}
	}
	return nil
}

// step is the i-th commit under a name: it adds a shard, and each third one takes away the one before it.
func step(name string, i int, size int64) Change {
	c := Change{Key: fmt.Sprint(name, "-", i), Add: []schemas.Shard{{Name: copyOf(name, i), Bytes: size}}}
	if i%3 == 2 {
		c.Remove = []string{copyOf(name, i-1)}
	}
	return c
}

// after are the shards that are there after n steps.
func after(name string, n int) (list []string) {
	for i := range n {
		if i%3 != 1 || i+1 == n {
			list = append(list, copyOf(name, i))
		}
	}
	return list
}

func copyOf(name string, i int) string { return fmt.Sprintf("documents-%s%d.parquet", name, i) }

// withCopies is a collection with a table and n copies of a shard that are in neither, for each of the names.
func withCopies(t testing.TB, f folder.Folder, n int, names ...string) {
	t.Helper()
	m := made(t, f, 0)
	synced(t, f)
	var shard string
	for _, s := range m.Units[0].Shards {
		if shardPattern().MatchString(s.Name) {
			shard = s.Name
		}
	}
	data, err := read(f, shard, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for i := range n {
			if err := f.Write(copyOf(name, i), data); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// copies are the shards under these names in the newest snapshot, sorted.
func copies(t testing.TB, f folder.Folder, names ...string) (list []string) {
	t.Helper()
	files, err := opened(t, f).Plan(t.Context(), Point{}, query.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, name := range names {
			if strings.HasPrefix(file.Name, "documents-"+name) {
				list = append(list, file.Name)
			}
		}
	}
	slices.Sort(list)
	return list
}

// same reports whether the copies under the names are those after n steps of each.
func same(t testing.TB, f folder.Folder, n int, names ...string) bool {
	t.Helper()
	var want []string
	for _, name := range names {
		want = append(want, after(name, n)...)
	}
	slices.Sort(want)
	return slices.Equal(copies(t, f, names...), want)
}

// noOrphans fails when there is a manifest that no snapshot refers to.
func noOrphans(t testing.TB, f folder.Folder) {
	t.Helper()
	gone, err := opened(t, f).Expire(t.Context(), Expiry{Keep: 1 << 20, DryRun: true, Young: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range gone.Files {
		if strings.HasSuffix(name, ".avro") {
			t.Errorf("no snapshot refers to %s", name)
		}
	}
}

// whole fails unless all files of all snapshots are there.
func whole(t testing.TB, f folder.Folder) {
	t.Helper()
	problems, err := opened(t, f).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if !strings.Contains(p.Message, "no shard of the manifest") { // the copies are in none
			t.Errorf("Check: %s: %s", p.Name, p.Message)
		}
	}
}

// slow reports whether long tests are asked for.
func slow() bool { return os.Getenv("GLEANER_SLOW") == "1" }

// TestCommit_threeProcesses: 15 commits each by three processes at once, with GLEANER_SLOW=1 50, lose nothing and
// double nothing.
func TestCommit_threeProcesses(t *testing.T) {
	commits := 15
	if slow() {
		commits = 50
	}
	dir := filepath.Join(t.TempDir(), "out")
	names := []string{"a", "b", "c"}
	withCopies(t, local(dir), commits, names...)
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			if out, err := commitIn(dir, name, 0, commits).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		})
	}
	all.Wait()
	if !same(t, local(dir), commits, names...) {
		t.Errorf("files are %v", copies(t, local(dir), names...))
	}
	snapshots, err := opened(t, local(dir)).Snapshots(t.Context())
	if err != nil || len(snapshots) != 1+3*commits {
		t.Errorf("%d snapshots, %v; want %d", len(snapshots), err, 1+3*commits)
	}
	whole(t, local(dir))
	noOrphans(t, local(dir))
}

// commitIn is this program as a worker.
func commitIn(dir, name string, from, n int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d %d", worker, dir, name, from, n))
	return cmd
}

// TestCommit_killed: after kill -9 at any moment the table is what it was, or what it was to become. With
// GLEANER_SLOW=1 at 100 moments.
func TestCommit_killed(t *testing.T) {
	kills := 10
	if slow() {
		kills = 100
	}
	dir := filepath.Join(t.TempDir(), "out")
	commits := 15 * kills
	withCopies(t, local(dir), commits, "k")
	done := 0
	for range kills {
		// It begins with a commit that was made before, which changes nothing.
		said := runKilled(t, dir, max(done-1, 0), commits, time.Duration(mathrand.IntN(int(100*time.Millisecond))))
		done = max(done, said)
		if !same(t, local(dir), done, "k") { // it died before it reported its last commit
			if done++; !same(t, local(dir), done, "k") {
				t.Fatalf("after %d commits files are %v", done-1, copies(t, local(dir), "k"))
			}
		}
	}
	whole(t, local(dir))
	t.Logf("%d kills, %d commits", kills, done)
	if _, err := opened(t, local(dir)).Expire(t.Context(), Expiry{Keep: 1 << 20, Young: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	whole(t, local(dir))
	names, err := os.ReadDir(filepath.Join(dir, metadataDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// runKilled runs a worker, kills it some time after its first commit, and returns how many commits it has reported.
func runKilled(t *testing.T, dir string, from, n int, later time.Duration) (said int) {
	t.Helper()
	cmd := commitIn(dir, "k", from, n)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	kill := sync.OnceFunc(func() {
		time.AfterFunc(later, func() { _ = cmd.Process.Kill() }) // it may have ended
	})
	for lines.Scan() {
		i, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(lines.Text())
		}
		said = i + 1
		kill()
	}
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait() // killed
	return said
}

// TestCommit_buckets: likewise in buckets, of which one request in three goes wrong.
func TestCommit_buckets(t *testing.T) {
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			faults := blobtest.NewFaults(7, 25)
			b := blobtest.Start(t, kind, faults, nil)
			bucket := func() folder.Folder {
				store := blob.New(blob.Options{
					GoogleEndpoint: b.URL + "/storage/v1/",
					Patience:       blob.Patience{First: time.Millisecond, Last: 10 * time.Millisecond, Stall: 2 * time.Second},
				})
				f := folder.Open(t.Context(), b.Root+"out", store)
				t.Cleanup(func() {
					if err := errors.Join(f.Close(), store.Close()); err != nil {
						t.Error(err)
					}
				})
				return f
			}
			const commits = 4
			names := []string{"a", "b", "c"}
			withCopies(t, bucket(), commits, names...)
			var all sync.WaitGroup
			for _, name := range names {
				f := bucket()
				all.Go(func() {
					if err := commitAll(f, name, 0, commits, io.Discard); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			all.Wait()
			t.Logf("faults: %v", faults.Made())
			if f := bucket(); !same(t, f, commits, names...) {
				t.Errorf("files are %v", copies(t, f, names...))
			} else {
				whole(t, f)
			}
		})
	}
}

// TestNewest_hintOutdated: the newest version is found by a hint that is after, wrong or gone.
func TestNewest_hintOutdated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	f := local(dir)
	for i := range 6 {
		made(t, f, i)
		synced(t, f)
	}
	for _, hint := range []string{"6", "2\n", "1", "99", "-1", "x", "", "123456789012345678901234567890", rand.Text()} {
		if err := os.WriteFile(filepath.Join(dir, hintFile), []byte(hint), 0o644); err != nil {
			t.Fatal(err)
		}
		if n, _, err := (versions{f}).newest(); n != 6 || err != nil {
			t.Errorf("with the hint %q the newest is %d, %v; want 6", hint, n, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, hintFile)); err != nil {
		t.Fatal(err)
	}
	if n, _, err := (versions{f}).newest(); n != 6 || err != nil {
		t.Errorf("without a hint the newest is %d, %v; want 6", n, err)
	}
}
