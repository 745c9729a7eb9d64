package unit

import (
	"io"
	"log/slog"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// seekPoints are the seek points of a unit's archives, made while these are read.
type seekPoints struct {
	builders map[string]*seekpoint.Builder
}

// of returns the builder of a file that is read from its beginning, again after a failure.
func (p *seekPoints) of(file string, src io.ReaderAt, size int64) archive.Marks {
	if size < seekpoint.MinSize {
		return nil
	}
	b := seekpoint.NewBuilder(src, size)
	if p.builders == nil {
		p.builders = map[string]*seekpoint.Builder{}
	}
	p.builders[file] = b
	return b
}

// write writes the points of a committed unit. They only save time, so a failure is logged and ends nothing.
func (p *seekPoints) write(out folder.Folder, log *slog.Logger) {
	for _, file := range slices.Sorted(maps.Keys(p.builders)) {
		if err := p.builders[file].Write(out, file); err != nil {
			log.Warn("no seek points: records of this archive are read from its start", "file", file, "error", err)
		}
	}
}
