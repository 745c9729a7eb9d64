package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// cold asks once for French PDFs in March, as a new process does: it reads footers, and outlines of an earlier run
// choose the shards.
func cold(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "documents-*.parquet"))
	if err != nil {
		return err
	}
	var list []schemas.Shard
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		base := filepath.Base(name)
		list = append(list, schemas.Shard{Name: base, Bytes: info.Size(), SHA256: base})
	}
	where, err := query.Parse(`language = fr AND mime_detected = "application/pdf" AND timestamp = 2025-03`)
	if err != nil {
		return err
	}
	ctx := context.Background()
	before := cputime.Self().Seconds()
	s := parquetscan.NewShards(folder.Open(ctx, dir, nil), list)
	chosen, err := s.Chosen(ctx, where)
	if err != nil {
		return err
	}
	choosing := cputime.Self().Seconds()
	n := 0
	for _, err := range s.Rows(ctx, where, columns) {
		if err != nil {
			return err
		}
		n++
	}
	fmt.Printf("%d rows of %d of %d files: %.1f ms to choose, %.1f ms to answer\n",
		n, len(chosen), len(list), (choosing-before)*1e3, (cputime.Self().Seconds()-choosing)*1e3)
	return nil
}
