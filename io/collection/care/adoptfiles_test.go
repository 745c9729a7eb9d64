package care

import (
	"slices"
	"testing"
)

func TestAdopt_files(t *testing.T) {
	taken, others := documentFiles([]string{
		"documents-1.jsonl", "documents-2024.01.jsonl.gz", "documents-a.b.c.jsonl.zst", "documents-x.snappy.parquet",
		"documents-3.jsonl.bz2", "documents-4.csv", "part-0000.snappy.parquet", "documents.jsonl", "readme.txt", "x.jsonl",
	})
	want := []string{
		"documents-1.jsonl", "documents-2024.01.jsonl.gz", "documents-a.b.c.jsonl.zst", "documents-x.snappy.parquet",
	}
	if !slices.Equal(taken, want) {
		t.Errorf("taken %q, want %q", taken, want)
	}
	want = []string{"documents-3.jsonl.bz2", "documents-4.csv", "part-0000.snappy.parquet"}
	if !slices.Equal(others, want) {
		t.Errorf("others %q, want %q", others, want)
	}
}
