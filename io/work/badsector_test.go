package work

import (
	"bytes"
	"compress/gzip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// badDisk is a file that cannot be read from an offset on, as on a disk with a bad sector.
type badDisk struct {
	blob.Object
	at int64
}

// ReadAt reads only bytes before the bad offset.
func (b badDisk) ReadAt(p []byte, off int64) (int, error) {
	n := len(p)
	if off+int64(n) > b.at {
		n = int(max(0, b.at-off))
	}
	m, err := b.Object.ReadAt(p[:n], off)
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "read", Path: b.Name(), Err: syscall.EIO}
	}
	return m, err
}

// TestAttack09_badSectorsCostWhatIsBehindThem reads archives of each shape with a bad place in them, wherever it is.
func TestAttack09_badSectorsCostWhatIsBehindThem(t *testing.T) {
	s, _ := store(t)
	plain, err := os.ReadFile("../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	var one bytes.Buffer
	z := gzip.NewWriter(&one)
	if _, err := z.Write(plain); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	member := filepath.Join(t.TempDir(), "one.warc.gz")
	if err := os.WriteFile(member, one.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	const site = "../../testdata/archives/site.warc"
	for _, name := range []string{site, site + ".gz", site + ".zst", member} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			units, err := Plan(t.Context(), s, []blob.Info{{Name: name, Size: info.Size()}}, DefaultSize)
			if err != nil {
				t.Fatal(err)
			}
			clean, _, _ := readBad(t, s, units[0], info.Size()+1)
			for at := int64(0); at < info.Size(); at += info.Size()/23 + 1 {
				got, rejects, r := readBad(t, s, units[0], at)
				c := r.Counts()
				if c.BytesRead != info.Size() || c.ByReject[string(schemas.KindUnreadable)] != 1 || r.Inputs()[0].Unreadable == "" {
					t.Fatalf("bad at %d: counts %+v, inputs %+v", at, c, r.Inputs())
				}
				last := rejects[len(rejects)-1]
				if last.Kind != schemas.KindUnreadable || last.Offset+last.Length != info.Size() || c.BytesLost < last.Lost {
					t.Errorf("bad at %d: the last reject is %+v", at, last)
				}
				if int64(len(got)) != c.Captures {
					t.Errorf("bad at %d: %d captures, %d counted", at, len(got), c.Captures)
				}
				for i, g := range clean {
					whole := g.Origin.Length > 0 && g.Origin.Offset+g.Origin.Length <= at
					if whole && (i >= len(got) || got[i].URL != g.URL || !bytes.Equal(got[i].Body, g.Body)) {
						t.Fatalf("bad at %d: capture %d, %s, is not there as it was", at, i, g.URL)
					}
				}
				if len(got) > len(clean) {
					t.Errorf("bad at %d: %d captures of %d", at, len(got), len(clean))
				}
			}
		})
	}
}

// readBad reads a unit whose file is bad from a place on.
func readBad(
	t *testing.T, s *blob.Store, u schemas.Unit, at int64,
) (all []*schemas.Capture, rejects []schemas.Reject, r *Reader) {
	t.Helper()
	r = NewReader(s, u, archive.Options{})
	r.open = func(ctx context.Context, name string) (blob.Object, error) {
		o, err := s.Open(ctx, name)
		return badDisk{o, at}, err
	}
	for item, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatalf("bad at %d: %v", at, err)
		}
		if item.Reject != nil {
			rejects = append(rejects, *item.Reject)
			continue
		}
		c := item.Capture
		all = append(all, c)
	}
	return all, rejects, r
}
