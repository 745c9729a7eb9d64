package sourcedb

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Known is a source's state as a generation has it.
type Known struct {
	State source.State
	Err   error // it ends what States yields
}

// States yields the states of a generation by their keys, ascending, of those keys that wanted takes.
func States(
	ctx context.Context, f folder.Folder, m Manifest, wanted func(key string) bool,
) iter.Seq2[string, Known] {
	return func(yield func(string, Known) bool) {
		g := generation{ctx: ctx, f: f}
		for r, err := range g.chain(m.States) {
			if err == nil && !wanted(string(r.key)) {
				continue
			}
			k := Known{Err: err}
			if err == nil {
				k.State, k.Err = source.Decode(r.value)
			}
			if !yield(string(r.key), k) || k.Err != nil {
				return
			}
		}
	}
}

// Captured sets links to true, by source.LinkKey, whose pages are captured: those that a generation knows.
func Captured(ctx context.Context, f folder.Folder, m Manifest, links map[uint64]bool) error {
	g := generation{ctx: ctx, f: f}
	for r, err := range g.chain(m.Pages) {
		if err != nil {
			return err
		}
		if len(r.key) != 8 {
			return errRun
		}
		if link := binary.BigEndian.Uint64(r.key); len(links) > 0 {
			if _, ok := links[link]; ok {
				links[link] = true
			}
		}
	}
	return nil
}
