package shelf

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// pinned is the folder of a snapshot. Its shards are open as long as the snapshot is. So a running answer can continue
// if a task removes the files that it reads. Shards above the limit, and shards in an object store, are not kept open.
// If such a shard has been removed, the request is repeated with the next snapshot.
type pinned struct {
	folder.Folder
	open map[string]folder.Reader
}

// maxPinned limits how many shards a process keeps open: systems allow a program at least 1,024 files.
const maxPinned = 512

// pins is the number of open shards.
var pins atomic.Int64

// pin opens as many shards as it can.
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
		if err != nil { // readers of the shard get the error
			pins.Add(-1)
			continue
		}
		p.open[s.Name] = r
	}
	return p
}

// Open returns a separate reader for an open file, or opens the file.
func (p *pinned) Open(name string) (folder.Reader, error) {
	r, there := p.open[name]
	if !there {
		return p.Folder.Open(name)
	}
	return pinnedReader{io.NewSectionReader(r, 0, r.Size())}, nil
}

// Size returns the size of the open file.
func (p *pinned) Size(name string) (int64, error) {
	if r, there := p.open[name]; there {
		return r.Size(), nil
	}
	return p.Folder.Size(name)
}

// close closes the files that pin has opened. It does not close the folder, which belongs to the collection.
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
