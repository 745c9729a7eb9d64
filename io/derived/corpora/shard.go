package corpora

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"
	pqzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// The formats of shards.
const (
	Parquet = "parquet"
	JSONL   = "jsonl" // JSON lines, zstd
	WET     = "wet"   // WARC files of texts, like Common Crawl's
)

// Formats returns all formats.
func Formats() []string { return []string{Parquet, JSONL, WET} }

// Sharded is the result of the step shard for a range.
type Sharded struct {
	Key    string `json:"key"`
	Counts Counts `json:"counts"`
	// Flows are amounts by reason; those with reason "" stay.
	Flows   map[string]filter.Flow `json:"flows"`
	Seconds float64                `json:"seconds"`
	Files   []schemas.Shard        `json:"files"`
}

// Shard gathers the rows of a range from the stages of all units, and writes those that stay.
func (s *Steps) Shard(ctx context.Context, planned string, number int) (out Sharded, err error) {
	p, err := s.readPlan(planned)
	if err != nil {
		return out, err
	}
	if number < 0 || number >= len(p.Shards) {
		return out, fmt.Errorf("corpora: no shard %d", number)
	}
	out.Key = keyOf("shard", p.Key, number)
	if ok, err := done(s.Out, sharded(out.Key), &out); ok || err != nil {
		return out, err
	}
	var n Numbered
	if err := folder.ReadJSON(s.Out, hidden("exact", p.Number, ".json"), maxJSON, &n); err != nil {
		return out, err
	}
	piece := p.Shards[number]
	fates, err := s.readFates(hidden("final", p.Key, ".bin"), int64(piece.First), int64(piece.Documents))
	if err != nil {
		return out, err
	}
	like, err := s.readTwins(hidden("twins", p.Key, ".bin"), int64(piece.First), int64(piece.Documents))
	if err != nil {
		return out, err
	}
	w, err := s.newShard(piece, number, len(p.Shards))
	defer w.abort()
	if err != nil {
		return out, err
	}
	out.Flows = map[string]filter.Flow{}
	began := time.Now()
	err = s.gather(ctx, n, piece, fates, func(i int, r *Row) error {
		reason := fateNames[fates[i]]
		out.Counts.count(r, reason)
		out.Flows[reason] = out.Flows[reason].Plus(r.flow())
		return errors.Join(like.note(w, i, r, reason), w.add(*r, reason))
	})
	if err != nil {
		return out, err
	}
	if w.noted != nil {
		if err := w.noted.end(hidden("noted", out.Key, ".bin")); err != nil {
			return out, err
		}
	}
	if out.Files, err = w.commit(); err != nil {
		return out, err
	}
	out.Seconds = time.Since(began).Seconds()
	return out, writeJSON(s.Out, sharded(out.Key), out)
}

// lastPlan is the plan that shards of this process were made by. It has a piece for each partition, so a corpus of many
// partitions would read it for each of them.
var lastPlan struct {
	sync.Mutex
	Planned
}

// readPlan reads a plan. Its key is a hash of all that it is made of.
func (s *Steps) readPlan(key string) (p Planned, err error) {
	lastPlan.Lock()
	defer lastPlan.Unlock()
	if key != "" && lastPlan.Key == key {
		return lastPlan.Planned, nil
	}
	if err := folder.ReadJSON(s.Out, hidden("plan", key, ".json"), maxJSON, &p); err != nil {
		return p, err
	}
	lastPlan.Planned = p
	return p, nil
}

// sharded returns the name of a Sharded.
func sharded(key string) string { return hidden("sharded", key, ".json") }

// gather calls do with the rows of a range in order, and with their indexes in it.
func (s *Steps) gather(
	ctx context.Context, n Numbered, piece Piece, fates []fate, do func(i int, r *Row) error,
) (err error) {
	var last []byte
	i := -1
	emit := func(key, value []byte) error {
		// The same capture from two units is one document.
		if i >= 0 && bytes.Equal(key, last) {
			return nil
		}
		last = append(last[:0], key...)
		if i++; i >= len(fates) {
			return errRecords
		}
		r, err := parseRow(value)
		if err != nil {
			return err
		}
		return do(i, &r)
	}
	if len(n.Units) == 1 { // it is sorted already
		err = eachStaged(s.Out, hidden("texts", n.Units[0], ".bin"), piece.From, piece.To, emit)
	} else {
		err = s.mergeStaged(ctx, n, piece, emit)
	}
	if err == nil && i+1 != len(fates) {
		err = errRecords
	}
	return err
}

// mergeStaged calls emit with the records of a range from all units, sorted.
func (s *Steps) mergeStaged(
	ctx context.Context, n Numbered, piece Piece, emit func(key, value []byte) error,
) (err error) {
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	for _, unit := range n.Units {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := eachStaged(s.Out, hidden("texts", unit, ".bin"), piece.From, piece.To, sorter.Add); err != nil {
			return err
		}
	}
	return sorter.Merge(emit)
}

// shard writes the files of a range.
type shard struct {
	first   uint32 // number of the first document
	dir     string // of the partition, language=fr; empty if the corpus is not divided
	names   []string
	files   []*output
	form    *form
	parquet *parquet.GenericWriter[any]
	lines   *jsonl.Writer
	wet     *warc.WETWriter
	refused *jsonl.Writer
	noted   *records // documents of clusters, for writeClusters
	group   int
}

// groupBytes limits the text of a row group, which readers hold in memory.
const groupBytes = 64 << 20

func (s *Steps) newShard(piece Piece, number, of int) (w *shard, err error) {
	w = &shard{first: piece.First, form: s.Options.form()}
	if s.Options.Partition != ByNothing {
		w.dir = fmt.Sprintf("%s=%s", s.Options.Partition, piece.Partition)
	}
	begin := func(kind, ext string) *output {
		name := path.Join(path.Dir(kind), w.dir, fmt.Sprintf("%s-%05d-of-%05d%s", path.Base(kind), number, of, ext))
		err = errors.Join(err, s.Out.Make(path.Dir(name)))
		o, errCreate := create(s.Out)
		err = errors.Join(err, errCreate)
		w.names, w.files = append(w.names, name), append(w.files, o)
		return o
	}
	for _, format := range s.Options.Formats {
		switch format {
		case Parquet:
			w.parquet = parquet.NewGenericWriter[any](begin(dataDir+"/train", ".parquet"), w.form.schema(),
				parquet.CreatedBy("gleaner", layout, "corpora"), parquet.Compression(&pqzstd.Codec{Concurrency: 1}),
				// Bounds of texts are useless.
				parquet.SkipPageBounds("text"), parquet.DataPageStatistics(true))
		case JSONL:
			lines, errLines := jsonl.NewWriter(begin(dataDir+"/train", ".jsonl.zst"), jsonl.Zstd)
			w.lines, err = lines, errors.Join(err, errLines)
		case WET:
			out := begin(dataDir+"/train", ".warc.wet.gz")
			w.wet = warc.NewWETFile(out, w.names[len(w.names)-1], dump.WriteOptions{})
		}
	}
	if s.Options.Refused {
		lines, errLines := jsonl.NewWriter(begin(refusedDir+"/duplicates", ".jsonl.zst"), jsonl.Zstd)
		noted, errNoted := createRecords(s.Out)
		w.refused, w.noted, err = lines, noted, errors.Join(err, errLines, errNoted)
	}
	return w, err
}

func (w *shard) add(r Row, reason string) error {
	if reason != "" && w.refused == nil {
		return nil
	}
	record, err := w.form.record(&r, reason)
	if err != nil {
		return err
	}
	if reason != "" {
		return w.refused.Write(record)
	}
	if w.lines != nil {
		if err := w.lines.Write(record); err != nil {
			return err
		}
	}
	if w.wet != nil {
		if err := w.wet.Write(r.document()); err != nil {
			return err
		}
	}
	if w.parquet == nil {
		return nil
	}
	if w.group += len(r.Text); w.group > groupBytes {
		if err := w.parquet.Flush(); err != nil {
			return err
		}
		w.group = len(r.Text)
	}
	_, err = w.parquet.Write([]any{record})
	return err
}

func (w *shard) commit() (files []schemas.Shard, err error) {
	if w.parquet != nil {
		err = w.parquet.Close()
	}
	if w.wet != nil {
		err = errors.Join(err, w.wet.Close())
	}
	for _, lines := range []*jsonl.Writer{w.lines, w.refused} {
		if lines != nil {
			err = errors.Join(err, lines.Close())
		}
	}
	for i, o := range w.files {
		if err == nil {
			var file schemas.Shard
			file, err = o.commit(w.names[i])
			files = append(files, file)
		}
	}
	return files, err
}

func (w *shard) abort() {
	for _, o := range append(w.files, recordsOf(w.noted)) {
		if o != nil {
			o.abort()
		}
	}
}
