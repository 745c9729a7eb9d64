package convert

import (
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// objectStore is a bucket that commands reach by environment variables. It counts requests.
type objectStore struct {
	blobtest.Backend
	seen atomic.Int64
}

func startStore(t *testing.T, kind string, f *blobtest.Faults, objects map[string][]byte) *objectStore {
	t.Helper()
	s := &objectStore{}
	f.Seen = func(*http.Request) { s.seen.Add(1) }
	s.Backend = blobtest.Start(t, kind, f, objects)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(s.URL, "http://"))
	return s
}

// sameObjects fails the test if the folder out in the bucket differs from the local one. It also fails if the hidden
// folder has more than a finished run leaves.
func (s *objectStore) sameObjects(t *testing.T, local string) {
	t.Helper()
	got, hidden := map[string]string{}, map[string]bool{}
	for name, data := range s.Objects(t) {
		name, ok := strings.CutPrefix(name, "out/")
		switch {
		case !ok:
		case strings.HasPrefix(name, ".gleaner/"):
			hidden[name] = true
		default:
			got[name] = string(data)
		}
	}
	if diff := cmp.Diff(contents(t, local), got); diff != "" {
		t.Errorf("the bucket and %s differ (-disk +bucket):\n%.2000s", local, diff)
	}
	if want := map[string]bool{".gleaner/conversion": true, ".gleaner/plan": true}; !maps.Equal(hidden, want) {
		t.Errorf("hidden: %v, want %v", hidden, want)
	}
}

// severalUnits writes an archive of several units of 64 KiB, with pages that occur in two units.
func severalUnits(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	list := append(pages(60), pages(90)...)
	write(t, dir, "ache-warc", dump.WriteOptions{Compress: dump.Off, StatusLine: true, MaxFileBytes: 60 << 10}, list)
	return dir
}

// TestConvert_objectStores: a run writes the same bytes to an object store as to a disk. This also holds with faults,
// and if it is killed repeatedly.
func TestConvert_objectStores(t *testing.T) {
	args := []string{"--to=ache-html,ache-warc,wacz", "--unit_size=64KiB", severalUnits(t)}
	clean := filepath.Join(t.TempDir(), "clean")
	begin := time.Now()
	mustRun(t, append(args, "--output="+clean)...)
	took := time.Since(begin)
	m, err := readManifest(clean)
	if err != nil || m.Totals.ByDrop["ache-html.overwritten"] == 0 {
		t.Fatalf("%d units, dropped %v, %v: the test tests nothing", len(m.Units), m.Totals.ByDrop, err)
	}
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			s := startStore(t, kind, &blobtest.Faults{}, nil)
			out := append(args, "--output="+s.Root+"out")
			mustRun(t, out...)
			s.sameObjects(t, clean)
			t.Logf("%d requests for %d objects", s.seen.Swap(0), len(s.Objects(t)))
			mustRun(t, out...) // nothing is left to do
			s.sameObjects(t, clean)
			if n := s.seen.Load(); n > 30 {
				t.Errorf("a run that had nothing to do made %d requests", n)
			}
			mustRun(t, append(out, "--fresh", "--runner=prism")...)
			s.sameObjects(t, clean)
		})
		t.Run(kind+" with faults", func(t *testing.T) {
			f := blobtest.NewFaults(11, 25)
			s := startStore(t, kind, f, nil)
			mustRun(t, append(args, "--output="+s.Root+"out")...)
			if f.Left() > 0 {
				t.Errorf("%d faults did not happen", f.Left())
			}
			s.sameObjects(t, clean)
		})
		t.Run(kind+" killed", func(t *testing.T) {
			s := startStore(t, kind, &blobtest.Faults{}, nil)
			t.Setenv("TMPDIR", t.TempDir()) // where killed runs leave their files
			out := append(args, "--output="+s.Root+"out")
			killed := 0
			for i := range 6 {
				ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(2*i+1)/8) // kills the first under any load
				if start(ctx, out...).Run() != nil {
					killed++
				}
				cancel()
			}
			if killed == 0 {
				t.Errorf("no run was killed; one to a disk takes %v", took)
			}
			mustRun(t, out...)
			s.sameObjects(t, clean)
		})
	}
}

// TestConvert_foreignBucket: files of other programs are kept.
func TestConvert_foreignBucket(t *testing.T) {
	s := startStore(t, "s3", &blobtest.Faults{}, map[string][]byte{"out/ache-html/page": []byte("theirs")})
	in := archiveOf(t, pages(1))
	for _, more := range [][]string{nil, {"--fresh"}} {
		code, text := runCommand(t, append([]string{"--to=ache-html", "--output=" + s.Root + "out", in}, more...)...)
		if code != 2 || !strings.Contains(text, "not made by this command") {
			t.Errorf("%v: exit code %d, want 2:\n%s", more, code, text)
		}
	}
	if objects := s.Objects(t); len(objects) != 1 || string(objects["out/ache-html/page"]) != "theirs" {
		t.Errorf("objects: %q", objects)
	}
	mustRun(t, "--to=ache-html", "--output="+s.Root+"other", in)
	code, text := runCommand(t, "--to=ache-warc", "--output="+s.Root+"other", in)
	if code != 2 || !strings.Contains(text, "conversion of other archives") {
		t.Errorf("another conversion: exit code %d, want 2:\n%s", code, text)
	}
}

// TestConvert_dryRun: the job is shown, no request goes to Dataflow, and nothing is written.
func TestConvert_dryRun(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("Dataflow's workers run Linux on amd64, and this program, which they would run, does not")
	}
	here := severalUnits(t)
	files, err := filepath.Glob(filepath.Join(here, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	archive, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	s := startStore(t, "gs", &blobtest.Faults{}, map[string][]byte{"in/a.warc": archive})
	args := []string{
		"--dry_run", "--runner=dataflow", "--project=p", "--region=europe-west1", "--staging_location=gs://b/staging",
		"--worker_binary=" + os.Args[0], "--to=ache-html", "--output=gs://b/out",
	}
	text := mustRun(t, append(args, "gs://b/in/a.warc")...)
	if !strings.Contains(text, "JOB_TYPE_BATCH") || !strings.Contains(text, "gs://b/out") {
		t.Errorf("the job is\n%.2000s", text)
	}
	if objects := s.Objects(t); len(objects) != 1 {
		t.Errorf("%d objects, want the archive alone", len(objects))
	}
	code, text := runCommand(t, append(args, here)...)
	if code != 2 || !strings.Contains(text, "out of reach") {
		t.Errorf("of a local archive: exit code %d, want 2:\n%s", code, text)
	}
}
