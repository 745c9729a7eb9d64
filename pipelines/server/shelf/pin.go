package shelf

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// pinned is the folder of a snapshot: shards are open as long as the snapshot is, so that an answer which is being
// written goes on when a task removes what it reads. Of shards beyond the bound, and of those in an object store, the
// request that meets one which is gone is repeated with the next snapshot.
type pinned struct {
	folder.Folder
	open map[string]folder.Reader
}

// maxPinned bounds the shards that a process keeps open: systems allow a program 1,024 files at least.
const maxPinned = 512

// pins is how many there are.
var pins atomic.Int64

// pin opens what it can.
func pin(f folder.Folder, shards []schemas.Shard) *pinned {
	p := &pinned{f, map[string]folder.Reader{}}
	if blob.IsRemote(f.Path("")) {
		return p
	}
	for _, s := range shards {
		if pins.Add(1) > maxPinned {
			pins.Add(-1)
			break
		}
		r, err := f.Open(s.Name)
		if err != nil { // whoever reads it is told
			pins.Add(-1)
			continue
		}
		p.open[s.Name] = r
	}
	return p
}

// Open gives a reader of its own over a file that is open, or opens it.
func (p *pinned) Open(name string) (folder.Reader, error) {
	r, there := p.open[name]
	if !there {
		return p.Folder.Open(name)
	}
	return pinnedReader{io.NewSectionReader(r, 0, r.Size())}, nil
}

// Size is that of the file that is open.
func (p *pinned) Size(name string) (int64, error) {
	if r, there := p.open[name]; there {
		return r.Size(), nil
	}
	return p.Folder.Size(name)
}

// close closes what pin has opened, and not the folder, which is the collection's.
func (p *pinned) close() error {
	var err error
	for _, r := range p.open {
		err = errors.Join(err, r.Close())
		pins.Add(-1)
	}
	p.open = nil
	return err
}

type pinnedReader struct{ *io.SectionReader }

func (pinnedReader) Close() error { return nil }
