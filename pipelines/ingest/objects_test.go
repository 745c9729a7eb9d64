package main

import (
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// objectStore is a bucket with the project's archives, which commands reach by environment variables.
type objectStore struct {
	blobtest.Backend
	store *blob.Store
}

func startStore(t *testing.T, kind string, f *blobtest.Faults) objectStore {
	t.Helper()
	objects := map[string][]byte{}
	root := filepath.Join("../..", archives)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		objects["in/"+filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b := blobtest.Start(t, kind, f, objects)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(b.URL, "http://"))
	store := blob.New(blob.Options{})
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return objectStore{b, store}
}

// contents returns the bytes of all objects of a collection by name, without hidden ones.
func (s objectStore) contents(t *testing.T) map[string]string {
	t.Helper()
	all, err := s.store.List(t.Context(), s.Root+"out/")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, info := range all {
		name := strings.TrimPrefix(info.Name, s.Root+"out/")
		if strings.HasPrefix(name, ".gleaner/") || name == holdings.ReportFile {
			continue
		}
		data, err := s.store.ReadFile(t.Context(), info.Name, info.Size)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// faults returns how many of all faults of an object store a test makes. Each takes a second, so it makes only 40 %
// without GLEANER_SLOW=1.
func faults(all int) int {
	if os.Getenv("GLEANER_SLOW") != "" {
		return all
	}
	return all * 4 / 10
}

// TestIngest_objectStores: a run writes the same bytes to an object store as to a disk. This also holds with faults,
// and if it is killed repeatedly.
func TestIngest_objectStores(t *testing.T) {
	clean := t.TempDir()
	args := []string{"--unit_size=64KiB", "--workers=1"}
	begin := time.Now()
	mustRun(t, append(args, "--output="+clean, archives)...)
	took := time.Since(begin)
	want := contents(t, clean)
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			s := startStore(t, kind, nil)
			mustRun(t, append(args, "--output="+s.Root+"out", archives)...)
			sameFiles(t, s.contents(t), want)
			again := mustRun(t, append(args, "--output="+s.Root+"out", archives)...)
			if regexp.MustCompile(`Captures .*\d/s\)`).MatchString(again.stdout) { // only a run that did all of it has a speed
				t.Errorf("a second run did something:\n%s", again.stdout)
			}
		})
		t.Run(kind+" with faults", func(t *testing.T) {
			f := blobtest.NewFaults(11, faults(25))
			s := startStore(t, kind, f)
			mustRun(t, append(args, "--output="+s.Root+"out", archives)...)
			if f.Left() > 0 {
				t.Errorf("%d faults did not happen", f.Left())
			}
			sameFiles(t, s.contents(t), want)
		})
		t.Run(kind+" killed", func(t *testing.T) {
			s := startStore(t, kind, nil)
			t.Setenv("TMPDIR", t.TempDir()) // where killed runs leave their files
			out := append(args, "--output="+s.Root+"out", archives)
			killOften(t, 8, 2*took, out)
			mustRun(t, out...)
			sameFiles(t, s.contents(t), want)
		})
	}
}

// TestIngest_archivesInObjectStores: archives give the same documents from any store.
func TestIngest_archivesInObjectStores(t *testing.T) {
	clean := t.TempDir()
	args := []string{"--compression=none", "--extract=mime,text"}
	mustRun(t, append(args, "--output="+clean, archives)...)
	want := contents(t, clean)[shardOf(t, clean, 0, "documents")]
	for _, kind := range []string{"gs", "s3"} {
		s := startStore(t, kind, nil)
		out := t.TempDir()
		mustRun(t, append(args, "--output="+out, s.Root+"in/")...)
		got := contents(t, out)[shardOf(t, out, 0, "documents")]
		if got = strings.ReplaceAll(got, s.Root+"in/", archives+"/"); got != want || want == "" {
			t.Errorf("%s: %d bytes of documents, want %d and the same", kind, len(got), len(want))
		}
	}
}

func TestIngest_lockedObjectStore(t *testing.T) {
	var asked atomic.Int64 // requests for the lock
	s := startStore(t, "s3", &blobtest.Faults{Seen: func(r *http.Request) {
		if r.Method == http.MethodHead && strings.HasSuffix(r.URL.Path, "/.gleaner/lock") {
			asked.Add(1)
		}
	}})
	host := "another machine"
	_, err := s.store.Put(t.Context(), s.Root+"out/.gleaner/lock", strings.NewReader(host), int64(len(host)), blob.Absent)
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t.Context(), "--output="+s.Root+"out", archives)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	before := asked.Load()
	for deadline := time.Now().Add(time.Minute); asked.Load() < before+3; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the command did not look at the lock")
		}
	}
	_, err = s.store.Put(t.Context(), s.Root+"out/.gleaner/lock", strings.NewReader(host+"!"), int64(len(host)+1), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), "another run is writing "+
		"to this folder") {
		t.Errorf("%v, printed %q; want exit code 1", err, errs.String())
	}
}

// TestAttack01_bucketsKeepWhatTheyHold: --add, --prune and another format give the same results in a bucket as on a
// disk, with faults and kills.
func TestAttack01_bucketsKeepWhatTheyHold(t *testing.T) {
	steps := []struct{ remove, args string }{
		{"", "day1"}, {"", "--add day2"}, {"", "--add --format=parquet,cdxj day2"}, {"day1/a.warc", "--add --prune day2"},
	}
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			f := blobtest.NewFaults(17, faults(40))
			s := startStore(t, kind, f)
			t.Setenv("TMPDIR", t.TempDir()) // where killed runs leave their files
			disk := newDays(t)
			disk.put("day1/a", "day1/b", "day2/c", "day2/d")
			bucket := days{t, disk.root, s.Root + "out"}
			random := rand.New(rand.NewPCG(17, 1))
			killed := 0
			for _, step := range steps {
				if step.remove != "" {
					disk.remove(step.remove)
				}
				began := time.Now()
				if r := disk.run("--unit_size=64KiB " + step.args); r.code != 0 {
					t.Fatalf("on a disk, %s: exit code %d\n%s", step.args, r.code, r.stderr)
				}
				took := time.Since(began)
				args := []string{"--output=" + bucket.out, "--extract=mime", "--unit_size=64KiB"}
				for _, a := range strings.Fields(step.args) {
					if !strings.HasPrefix(a, "-") {
						a = filepath.Join(disk.root, a)
					}
					args = append(args, a)
				}
				killed += killAfter(t, time.Duration(random.Int64N(int64(took))), args)
				if r := bucket.run("--unit_size=64KiB " + step.args); r.code != 0 {
					t.Fatalf("in a bucket, %s: exit code %d\n%s", step.args, r.code, r.stderr)
				}
				sameFiles(t, s.contents(t), contents(t, disk.out))
			}
			if killed == 0 || len(f.Made()) == 0 {
				t.Errorf("%d runs were killed, faults %v: the test tests little", killed, f.Made())
			}
		})
	}
}
