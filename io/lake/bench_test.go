//go:build !noiceberg && !local

package lake

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// linked is a folder with the files of the collection that $GLEANER_ROWS names (see .tools/rows), without its table.
func linked(b *testing.B) folder.Folder {
	b.Helper()
	from := os.Getenv("GLEANER_ROWS")
	if from == "" {
		b.Skip("GLEANER_ROWS names no collection; .tools/rows makes one")
	}
	dir := filepath.Join(b.TempDir(), "out")
	if err := os.Mkdir(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		b.Fatal(err)
	}
	from, err = filepath.Abs(from)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				b.Fatal(err)
			}
		}
	}
	return local(dir)
}

// BenchmarkSync makes the table of a collection.
func BenchmarkSync(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		f := linked(b)
		b.StartTimer()
		s := synced(b, f)
		b.ReportMetric(float64(s.Files), "files")
		b.ReportMetric(float64(s.Records), "rows")
	}
}

// BenchmarkPlan chooses the files for French PDFs in March 2025.
func BenchmarkPlan(b *testing.B) {
	f := linked(b)
	synced(b, f)
	where, err := query.Parse(`language = fr AND mime = "application/pdf" AND ` +
		`timestamp >= 2025-03-01 AND timestamp < 2025-04-01`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		t := opened(b, f)
		files, err := t.Plan(b.Context(), Point{}, query.Query{Where: where})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(files)), "files")
	}
}
