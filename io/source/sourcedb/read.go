package sourcedb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Sources yields the sources of a generation, sorted by key, and ends after an error.
func Sources(ctx context.Context, f folder.Folder, m Manifest) iter.Seq2[schemas.Source, error] {
	return lines[schemas.Source](ctx, f, m.Sources)
}

// Known is a source with the state that it is described by, without the pages, and its key.
type Known struct {
	Key    string
	Source schemas.Source
	State  source.State
}

// All yields the sources of a generation with their states, sorted by key, and ends after an error.
func All(ctx context.Context, f folder.Folder, m Manifest) iter.Seq2[Known, error] {
	return func(yield func(Known, error) bool) {
		// Sources and states are two lists of files in one order: they are read side by side.
		next, stop := iter.Pull2(Sources(ctx, f, m))
		defer stop()
		g := generation{ctx: ctx, f: f}
		for r, err := range g.chain(m.States) {
			// A copy: the record's bytes last until the next one.
			k := Known{Key: string(r.key)}
			if err == nil {
				k.State, err = source.Decode(r.value)
			}
			row, bad, ok := next()
			// Both have one record a feed, in the order of the keys.
			if err = errors.Join(err, bad); err == nil && (!ok || row.ID != source.ID(k.Key)) {
				err = fmt.Errorf("%s: the sources are not those of the states: %w", f.Path(manifestFile), errRun)
			}
			k.Source = row
			if !yield(k, err) || err != nil {
				return
			}
		}
	}
}

// Links yields which page is of which source, in the order of the sources.
func Links(ctx context.Context, f folder.Folder, m Manifest) iter.Seq2[Link, error] {
	return lines[Link](ctx, f, m.Links)
}

// Rejects yields what could not be read of collections, unit by unit.
func Rejects(ctx context.Context, f folder.Folder, m Manifest) iter.Seq2[schemas.Reject, error] {
	var shards []schemas.Shard
	for _, l := range m.Losses {
		shards = append(shards, l.Rejects...)
	}
	return lines[schemas.Reject](ctx, f, shards)
}

func lines[T any](ctx context.Context, f folder.Folder, shards []schemas.Shard) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, s := range shards {
			// One shard is open at a time.
			more, err := readLines(ctx, f, s.Name, func(v T) bool { return yield(v, nil) })
			if err != nil {
				var none T
				yield(none, fmt.Errorf("%s: %w", f.Path(s.Name), err))
				return
			}
			if !more {
				return
			}
		}
	}
}

// readLines reads one shard, and reports whether more is wanted.
func readLines[T any](ctx context.Context, f folder.Folder, name string, yield func(T) bool) (more bool, err error) {
	in, err := f.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }() // it is only read
	r, err := jsonl.NewReader(in)
	if err != nil {
		return false, err
	}
	for line, err := range r.All() {
		var v T
		if err == nil {
			err = json.Unmarshal(line, &v)
		}
		if err == nil {
			// Asked for each line: a pass over all sources may take long.
			err = ctx.Err()
		}
		if err != nil {
			return false, err
		}
		if !yield(v) {
			return false, nil
		}
	}
	return true, nil
}
