package query

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func TestVectors(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	name := filepath.Join(t.TempDir(), "vectors.parquet")
	if code, _, errs := command(t, out, "--format=vectors", "--lang=fr", "--output="+name); code != cli.ExitDone {
		t.Fatal(errs)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	table, err := pqarrow.ReadTable(t.Context(), f, parquet.NewReaderProperties(memory.DefaultAllocator),
		pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	last := table.Column(int(table.NumCols()) - 1)
	if kind, is := last.DataType().(*arrow.FixedSizeListType); !is || kind.Len() != 256 || table.NumRows() == 0 {
		t.Fatalf("%d rows, the vectors are %v", table.NumRows(), last.DataType())
	}
	language := table.Column(3).Data().Chunk(0).(*array.String)
	values := last.Data().Chunk(0).(*array.FixedSizeList).ListValues().(*array.Float32).Float32Values()
	for row := range int(table.NumRows()) {
		var sum float64
		for _, v := range values[256*row : 256*(row+1)] {
			sum += float64(v) * float64(v)
		}
		if language.Value(row) != "fr" || math.Abs(sum-1) > .02 {
			t.Errorf("row %d: language %s, a vector of length %.3f", row, language.Value(row), math.Sqrt(sum))
		}
	}
	for _, flag := range []string{"--at=2020", "--sql=select 1", "--about=x", "--runner=prism"} {
		if code, _, _ := command(t, out, "--format=vectors", flag, "--output="+name); code != cli.ExitUsage {
			t.Errorf("%s: exit code %d", flag, code)
		}
	}
}
