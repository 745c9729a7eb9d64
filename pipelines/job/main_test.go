package job

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) {
	docsandbox.Main() // children that read documents run this program
	if os.Getenv(asCrash) != "" {
		crash()
	}
	os.Exit(m.Run())
}

// makeRun runs a request in this process.
func makeRun(t *testing.T, c plan.Request) schemas.Manifest {
	t.Helper()
	p, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ended, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	f := c.OpenFolder(t.Context(), "")
	m, err := holdings.ReadManifest(f)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Totals, ended.Totals); diff != "" || len(m.Units) != len(ended.Units) {
		t.Errorf("%d units ended, and the manifest has %d; totals (-manifest +ended):\n%s", len(ended.Units), len(m.Units),
			diff)
	}
	return m
}

var (
	contents  = shelftest.Contents
	sameFiles = shelftest.SameFiles
)

func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

func closeFile(t *testing.T, f io.Closer) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// days holds folders of archives and the output of runs over them.
type days struct {
	t         *testing.T
	root, out string
}

func newDays(t *testing.T) days {
	root := t.TempDir()
	return days{t, root, filepath.Join(root, "out")}
}

// put writes archives of one page each: "day1/a" is the archive a.warc in day1.
func (d days) put(names ...string) {
	d.t.Helper()
	for _, name := range names {
		shelftest.Put(d.t, filepath.Join(d.root, name+".warc"), strings.ReplaceAll(name, "/", "-"), "the page of "+name)
	}
}

func (d days) remove(names ...string) {
	d.t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(d.root, name)); err != nil {
			d.t.Fatal(err)
		}
	}
}
