// Package documentio writes documents from pipelines: shards of JSON lines in a folder, for graphs of your own.
// pipelines/ingest does not use it, see there.
//
// A sink of a graph cannot assume that it sees a unit whole or once, so this one makes its own shards: documents are
// divided by a hash of where they stand in which archive, sorted within the shard, and written under a temporary name
// that is renamed. The same documents give the same bytes on every runner. Documents do cross a shuffle here, and a
// shard's are held in memory: take as many shards as keep one to some hundred megabytes.
//
//	documentio.Write(s, documentio.Options{Dir: "out", Shards: 8}, documents)
package documentio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&shardFn{})
	beam.RegisterDoFn(&writeFn{})
	beam.RegisterType(reflect.TypeFor[schemas.Document]())
}

// Options of Write.
type Options struct {
	Dir         string            // made when it is not there
	Shards      int               // how many files; 1
	Compression jsonl.Compression // zstd
}

// Write writes docs, a collection of schemas.Document, to Options.Dir as documents-SSSSS-of-NNNNN.jsonl.zst. A shard
// to which no document falls is not written.
func Write(s beam.Scope, o Options, docs beam.PCollection) {
	s = s.Scope("documentio.Write")
	o.Shards = max(o.Shards, 1)
	o.Compression = cmp.Or(o.Compression, jsonl.Zstd)
	keyed := beam.ParDo(s, &shardFn{Shards: o.Shards}, docs)
	beam.ParDo0(s, &writeFn{Options: o}, beam.GroupByKey(s, keyed))
}

// shardFn gives each document its shard.
type shardFn struct{ Shards int }

// ProcessElement returns the document's shard and the document.
func (f *shardFn) ProcessElement(d schemas.Document) (int, schemas.Document) {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d %d", d.Filename, d.Offset, d.Sequence) // a hash never fails to write
	return int(h.Sum32() % uint32(f.Shards)), d
}

// writeFn writes one shard an element.
type writeFn struct{ Options Options }

// ProcessElement writes the shard's documents in the order of their places in the archives.
func (f *writeFn) ProcessElement(_ context.Context, shard int, next func(*schemas.Document) bool) error {
	var docs []schemas.Document
	for d := (schemas.Document{}); next(&d); d = (schemas.Document{}) {
		docs = append(docs, d)
	}
	slices.SortStableFunc(docs, func(a, b schemas.Document) int {
		return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset),
			cmp.Compare(a.Sequence, b.Sequence))
	})
	if err := os.MkdirAll(f.Options.Dir, 0o755); err != nil {
		return err
	}
	name := fmt.Sprintf("documents-%05d-of-%05d%s", shard, f.Options.Shards, f.Options.Compression.Ext())
	return writeShard(filepath.Join(f.Options.Dir, name), f.Options.Compression, docs)
}

// writeShard writes the file whole or not at all.
func writeShard(path string, c jsonl.Compression, docs []schemas.Document) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := encode(file, c, docs); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := errors.Join(file.Sync(), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func encode(file *os.File, c jsonl.Compression, docs []schemas.Document) error {
	w, err := jsonl.NewWriter(file, c)
	if err != nil {
		return err
	}
	for i := range docs {
		if err := w.Write(&docs[i]); err != nil {
			return err
		}
	}
	return w.Close()
}
