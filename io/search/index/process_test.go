package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestMain is also the process that brings an index up to date and is killed while it does.
func TestMain(m *testing.M) {
	if dir := os.Getenv("GLEANER_TEST_UPDATE"); dir != "" {
		if err := updateAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// manyDocs are the documents of the n-th shard.
func manyDocs(n int) []*schemas.Document {
	return made(rand.New(rand.NewPCG(9, uint64(n))), 200, fmt.Sprintf("f%d", n))
}

const killShards = 12

// updateAll updates the index of the shards in dir, as manyDocs has them.
func updateAll(dir string) error {
	ctx := context.Background()
	f := folder.Open(ctx, dir, nil)
	limits := defaultLimits
	limits.groupRows = 500 // 3 shards
	x, err := Open(ctx, f, Options{limits: limits})
	if err != nil {
		return err
	}
	r, err := x.Update(ctx, holdings.Part{Folder: f, Shards: listShards(dir)})
	if err == nil && r.Rebuilt != "" {
		err = errors.New("rebuilt: " + r.Rebuilt)
	}
	return errors.Join(err, x.Close())
}

// listShards are the shards in dir, by their names and sizes: the hash is of no account here.
func listShards(dir string) (list []schemas.Shard) {
	for n := range killShards {
		data, err := os.ReadFile(filepath.Join(dir, shardName(n)))
		if err == nil {
			list = append(list, schemas.Shard{Name: shardName(n), Bytes: int64(len(data)), SHA256: hashOf(data)})
		}
	}
	return list
}

// TestUpdate_killedAtAnyMoment: after kill -9 the files are whole, and each shard is there as a whole or not at all.
// The next run ends as if none had been killed.
func TestUpdate_killedAtAnyMoment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs kill -9")
	}
	s := newShelf(t)
	for n := range killShards {
		s.put(t, n, manyDocs(n))
	}
	r := rand.New(rand.NewPCG(5, 5))
	for killed := 0; killed < 10; {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "GLEANER_TEST_UPDATE="+s.dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(400)) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() >= 0 {
			if err != nil {
				t.Fatal("it failed before it was killed")
			}
			s.put(t, r.IntN(killShards), made(r, 200, fmt.Sprint("again", killed))) // so that there is something to do
		}
		killed++
		s.wholeShards(t)
	}
	x, report := s.open(t, Options{})
	if report.Rebuilt != "" || report.Stale != 0 {
		t.Errorf("%+v", report)
	}
	for _, filter := range []string{"the", "language = fr AND government", "timestamp = 2025-02", "政府"} {
		s.compare(t, x, filter)
	}
}

// wholeShards checks an index that a killed process left.
func (s *shelf) wholeShards(t *testing.T) {
	t.Helper()
	x, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	for _, v := range x.volumes {
		for _, db := range []*pool{v.index, v.text} {
			var answer string
			if err := db.db.QueryRow("pragma integrity_check").Scan(&answer); err != nil || answer != "ok" {
				t.Fatal(answer, err)
			}
		}
		list, err := numbers(t.Context(), v.index.db, `select rows = 200 and rows = (select count(*) from version
			where id >= first and id < first + rows) from shard`)
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range list {
			if whole == 0 {
				t.Error("a shard is there in part")
			}
		}
	}
}

// TestFind_besideAWriter: readers see whole shards, with their texts, while shards are added.
func TestFind_besideAWriter(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	reader, _ := s.open(t, Options{})
	writer, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }() // the test is over by then
	done := make(chan error)
	go func() {
		for n := 1; n < 10; n++ {
			for i, d := range manyDocs(n) { // one word is in every document
				d.Text, d.Filename = d.Text+" everywhere", fmt.Sprint(n, " ", i)
				s.shards[shardName(n)] = append(s.shards[shardName(n)], d)
			}
			s.put(t, n, s.shards[shardName(n)])
			if n > 5 { // and some go
				delete(s.shards, shardName(n-5))
			}
			if _, err := writer.Update(context.Background(), s.part(t)); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	reads := 0
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			if reads == 0 {
				t.Error("nothing was read meanwhile")
			}
			return
		default:
		}
		e, err := query.NewText("everywhere", false)
		if err != nil {
			t.Fatal(err)
		}
		n, err := reader.Count(t.Context(), query.Query{Where: e, AllVersions: true}, nil)
		if err != nil || n%200 != 0 {
			t.Fatalf("%d captures, %v: not whole shards", n, err)
		}
		reads++
	}
}

// TestUpdate_mergesWhatAnotherLeft: processes that end before they merge leave the full text in parts. The next process
// merges it, although no shard is new to it.
func TestUpdate_mergesWhatAnotherLeft(t *testing.T) {
	s := newShelf(t)
	for n := range 4 {
		s.put(t, n, manyDocs(n))
	}
	x, _ := s.open(t, Options{})
	if err := errors.Join(x.Close(), removeVolume(x.place.dir)); err != nil {
		t.Fatal(err)
	}
	u := &updater{x: x, marked: &marked{part: s.part(t)}, columns: readColumns, writers: map[string]*writer{}}
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := u.writers[""]
	for _, shard := range u.part.DocumentShards() {
		if err := errors.Join(u.put(t.Context(), shard), u.commit(t.Context(), w)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{4, 1, 1} {
		if i > 0 {
			if report, err := x.Update(t.Context(), s.part(t)); err != nil || report != (Report{}) {
				t.Fatalf("%+v, %v", report, err)
			}
		} else if err := x.open(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := numbers(t.Context(), x.volumes[0].text.db, "select count(distinct segid) from doc_idx")
		if err != nil || got[0] != want {
			t.Errorf("%d updates later the text has %v parts, %v, want %d", i, got, err, want)
		}
		if i == 0 {
			continue
		}
		free, err := numbers(t.Context(), x.volumes[0].text.db,
			"select freelist_count * 100 / page_count from pragma_freelist_count, pragma_page_count")
		if err != nil || free[0] > 13 {
			t.Errorf("%d updates later %v %% of the text's file is free, %v, want 13 at most", i, free, err)
		}
	}
}

// TestUpdate_oneWriter: a second writer does nothing and says so, and both answer.
func TestUpdate_oneWriter(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	x, _ := s.open(t, Options{})
	dir, why := x.Dir()
	if why != "" {
		t.Errorf("the index is not in the collection: %s", why)
	}
	lock, err := folder.Open(t.Context(), dir, nil).Lock(lockName)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }() // the test is over by then
	s.put(t, 1, manyDocs(1))
	report, err := x.Update(t.Context(), s.part(t))
	if want := (Report{Stale: 1, Busy: true}); err != nil || report != want {
		t.Errorf("%+v, %v, want %+v", report, err, want)
	}
	delete(s.shards, shardName(1))
	s.compare(t, x, "the")
}

// TestOpen_places: an index that cannot be written is made in the cache folder, or used in its present state.
func TestOpen_places(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root writes everywhere: a file takes the folder's place instead")
	}
	caches := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", caches)
	t.Setenv("HOME", caches)
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	blocked := filepath.Join(s.dir, hiddenDir, dirName)
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	x, _ := s.open(t, Options{})
	dir, why := x.Dir()
	if rel, err := filepath.Rel(caches, dir); err != nil || rel[0] == '.' || why == "" {
		t.Errorf("the index is in %s, %q, want below %s with a reason", dir, why, caches)
	}
	s.compare(t, x, "the")
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	y, _ := s.open(t, Options{})
	if err := y.Close(); err != nil {
		t.Fatal(err)
	}
	y.place.frozen, y.place.away = true, "a test" // as placeOf finds it for callers that are not root
	s.put(t, 1, manyDocs(1))
	report, err := y.Update(t.Context(), s.part(t))
	if want := (Report{Stale: 1, ReadOnly: "a test"}); err != nil || report != want {
		t.Errorf("%+v, %v, want %+v", report, err, want)
	}
	delete(s.shards, shardName(1))
	s.compare(t, y, "the")
}

// FuzzParseBits: no bytes of a damaged index make a bitmap panic.
func FuzzParseBits(f *testing.F) {
	for _, list := range [][]uint32{nil, {1, 5, 70_000}, {1 << 31}} {
		b := span(10, 5000)
		b.AddMany(list)
		data, err := encodeBits(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := parseBits(data)
		if err != nil {
			return
		}
		b.Or(span(1, 9))
		_ = b.ToArray()
	})
}

// TestUpdate_afterDamageWasFound: a question that finds damage, of which Update alone would see nothing, makes it build
// the index again.
func TestUpdate_afterDamageWasFound(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	x, _ := s.open(t, Options{})
	if _, err := x.volumes[0].index.db.Exec("pragma query_only(off); update bits set bits = x'00'"); err != nil {
		t.Fatal(err)
	}
	e, err := query.Parse("language = fr")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Count(t.Context(), query.Query{Where: e}, nil); !errors.Is(err, ErrDamaged) {
		t.Fatalf("%v, want ErrDamaged", err)
	}
	if report, err := x.Update(t.Context(), s.part(t)); err != nil || report.Rebuilt == "" || report.Rows != 200 {
		t.Errorf("%+v, %v, want all made again", report, err)
	}
	s.compare(t, x, "language = fr")
}

// TestDamage_isFoundOrHarmless: whatever bytes of the files change, questions give answers or errors, and the next
// update leaves an index that answers.
func TestDamage_isFoundOrHarmless(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	x, _ := s.open(t, Options{})
	dir, _ := x.Dir()
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	whole := map[string][]byte{}
	for _, name := range []string{indexFile, textFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		whole[name] = data
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 15 {
		for name, data := range whole {
			data = append([]byte(nil), data...)
			for range 1 + r.IntN(200) {
				data[r.IntN(len(data))] = byte(r.IntN(256))
			}
			if err := errors.Join(removeDB(filepath.Join(dir, name)),
				os.WriteFile(filepath.Join(dir, name), data, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		askDamaged(t, s)
	}
}

func askDamaged(t *testing.T, s *shelf) {
	t.Helper()
	x, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		return
	}
	defer func() { _ = x.Close() }() // the test is over by then
	for _, filter := range []string{"", "the", "language = fr AND timestamp = 2025-02", "title:wasser OR surt:*"} {
		e, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		for h, err := range x.Find(t.Context(), query.Query{Where: e}, nil) {
			if err != nil || h.Row > 1<<40 {
				break
			}
		}
		_, _ = x.Facets(t.Context(), query.Query{Where: e}, []string{"host", "month"}, 5, nil) // an error is as good
	}
	s.put(t, 1, manyDocs(1))
	_, _ = x.Update(t.Context(), s.part(t))
	delete(s.shards, shardName(1))
}

// TestUpdate_unreadableShards: a missing or changed shard is reported, and the others are indexed.
func TestUpdate_unreadableShards(t *testing.T) {
	s := newShelf(t)
	for n := range 4 {
		s.put(t, n, manyDocs(n))
	}
	part := s.part(t)
	if err := os.Remove(filepath.Join(s.dir, shardName(0))); err != nil {
		t.Fatal(err)
	}
	overwrite(t, s.dir, shardName(2), 100, []byte("changed"))
	x, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	report, err := x.Update(t.Context(), part)
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, holdings.ErrChanged) {
		t.Errorf("%v, want what is wrong with both", err)
	}
	if want := (Report{Added: 2, Rows: 400, Stale: 2}); report != want {
		t.Errorf("%+v, want %+v", report, want)
	}
	delete(s.shards, shardName(0))
	delete(s.shards, shardName(2))
	s.compare(t, x, "the")
}

// TestUpdate_otherVersion: an index of an older or a newer version is made again, and says so.
func TestUpdate_otherVersion(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	x, _ := s.open(t, Options{})
	for _, name := range []string{indexFile, textFile} {
		for _, version := range []int{Version - 1, Version + 1} {
			db := x.volumes[0].index.db
			if name == textFile {
				db = x.volumes[0].text.db
			}
			if _, err := db.Exec(fmt.Sprintf("pragma query_only(off); pragma user_version = %d", version)); err != nil {
				t.Fatal(err)
			}
			y, report := s.open(t, Options{})
			if report.Rebuilt == "" || report.Rows != 200 {
				t.Errorf("version %d of %s: %+v, want all made again", version, name, report)
			}
			s.compare(t, y, "the")
			x = y
		}
	}
}
