package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// seeker has the seek points of one member of an archive.
type seeker struct {
	known  bool  // whether points were looked for
	member int64 // the member that they are of
	points *seekpoint.Points
	fails  bool // they do not fit the archive
}

func (s *seeker) close() {
	if s.points != nil {
		_ = s.points.Close() // read only
	}
	*s = seeker{}
}

// seek reads the capture of d from the nearest point in its gzip member. It returns nil if there is none, or if the
// points do not fit the archive. The member is then read from its start, as all others are.
func (w *cutter) seek(in archive.Input, d *schemas.Document) (*schemas.Capture, error) {
	// A record with a length of its own is alone in its member.
	if w.format.Compression != member.Gzip || d.Length > 0 || in.Size < seekpoint.MinSize {
		return nil, nil
	}
	s := &w.seeker
	if !s.known || s.member != d.Offset {
		s.close()
		s.known, s.member = true, d.Offset
		if err := w.findPoints(in, d); err != nil {
			return nil, err
		}
	}
	if s.points == nil || s.fails {
		return nil, nil
	}
	from, err := s.points.Find(d.Sequence)
	var c *schemas.Capture
	if err == nil {
		c, err = archive.CaptureAt(w.file, in, w.format, archive.Options{Copy: true}, from, d.Sequence)
	}
	switch {
	case w.ctx.Err() != nil:
		return nil, w.ctx.Err()
	case errors.Is(err, seekpoint.ErrNone):
		return nil, nil
	case err == nil && isOf(c, d):
		return c, nil
	}
	// Another record there can be the points' fault or the archive's. Reading from the start shows which.
	s.fails = true
	slog.Warn(fmt.Sprintf("%s: read from the start, since its seek points do not fit: %v", schemas.Printable(w.name), err))
	return nil, nil
}

// findPoints opens the points of d's member. If there are none, it reads the member once to make them.
func (w *cutter) findPoints(in archive.Input, d *schemas.Document) (err error) {
	f := w.db.Folder()
	w.seeker.points, err = seekpoint.Open(f, w.name, d.Offset, w.file, in.Size)
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, seekpoint.ErrFormat) {
		if err != nil {
			slog.Warn(fmt.Sprintf("%s: read from the start: %v", schemas.Printable(w.name), err))
		}
		return nil
	}
	// A folder that cannot be written would cost as much for each record.
	if seekpoint.Prepare(f) != nil {
		return nil
	}
	b := seekpoint.NewBuilder(w.file, in.Size)
	o := archive.Options{HeadOnly: true, Marks: func(archive.Input, io.ReaderAt) archive.Marks { return b }}
	r, err := archive.NewReader(w.file, in, w.format, o)
	if err != nil {
		return err
	}
	defer r.Close()
	for err == nil {
		if _, err = r.Next(); w.ctx.Err() != nil {
			return w.ctx.Err()
		}
	}
	// A file that cannot be read to its end has the points up to there.
	if err := b.Write(f, w.name); err != nil {
		slog.Warn(fmt.Sprintf("%s: %v", schemas.Printable(w.name), err))
		return nil
	}
	w.seeker.points, err = seekpoint.Open(f, w.name, d.Offset, w.file, in.Size)
	if err != nil { // the member is short
		w.seeker.points = nil
	}
	return nil
}
