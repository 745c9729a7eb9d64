package unit

import (
	"io"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// seekPoints are the seek points of a unit's archives, made while these are read.
type seekPoints struct {
	ranges []markedRange
}

// markedRange is a range of a file, with the builder of its points.
type markedRange struct {
	file    string
	start   int64
	builder *seekpoint.Builder
}

// of returns the builder for a range that is read from its beginning, again after a failure.
func (p *seekPoints) of(in archive.Input, src io.ReaderAt) archive.Marks {
	if in.Size < seekpoint.MinSize {
		return nil
	}
	r := markedRange{in.Name, in.Start, seekpoint.NewBuilder(src, in.Size)}
	if n := len(p.ranges); n > 0 && p.ranges[n-1].file == r.file && p.ranges[n-1].start == r.start {
		p.ranges = p.ranges[:n-1]
	}
	p.ranges = append(p.ranges, r)
	return r.builder
}

// write writes the points of a committed unit. They only save time, so a failure is logged and ends nothing.
func (p *seekPoints) write(out folder.Folder, log *slog.Logger) {
	for _, r := range p.ranges {
		if err := r.builder.Write(out, r.file); err != nil {
			log.Warn("no seek points: records of this archive are read from its start", "file", r.file, "error", err)
		}
	}
}
