package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Listing is the sizes and times of a folder's files, in one request instead of one for each file. It is valid while
// nothing changes the files.
type Listing struct {
	F     folder.Folder
	stats map[string]folder.Stat
}

// List lists the files of the folder and of its hidden folder.
func List(f folder.Folder) (Listing, error) {
	l := Listing{F: f, stats: map[string]folder.Stat{}}
	for _, dir := range []string{"", holdings.HiddenDir} {
		files, err := f.Stats(dir)
		if err != nil {
			return l, err
		}
		for name, s := range files {
			l.stats[path.Join(dir, name)] = s
		}
	}
	return l, nil
}

// Stat returns the size and time of a file, and whether it exists.
func (l Listing) Stat(name string) (s folder.Stat, there bool) {
	s, there = l.stats[name]
	return s, there
}

// Size returns a file's size. It returns fs.ErrNotExist if the file does not exist.
func (l Listing) Size(name string) (int64, error) {
	s, there := l.stats[name]
	if !there {
		return 0, fmt.Errorf("%s: %w", l.F.Path(name), fs.ErrNotExist)
	}
	return s.Size, nil
}

// Verify reports whether a file exists. A file that differs from written is ErrChanged. A file of the right size and
// Time of modification is not read, because hashing could take as long as a run. Objects in a store are not read
// either, because that costs money. The store has their checksums, and a replaced object hardly has the same size.
func (l Listing) Verify(name string, written schemas.Shard, modified time.Time) (bool, error) {
	now, there := l.stats[name]
	if there && now.Size == written.Bytes && !now.Modified.IsZero() && now.Modified.Equal(modified) {
		return true, nil
	}
	size, sum := now.Size, written.SHA256
	var err error
	if !blob.IsRemote(l.F.Path("")) {
		size, sum, err = HashFile(l.F, name)
	} else if !there {
		err = fs.ErrNotExist
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// An error rather than work to repeat: somebody has changed the file and may want it.
	if size != written.Bytes || sum != written.SHA256 {
		return false, fmt.Errorf("%w: %s: put back the file, or remove it, or start over with --fresh",
			holdings.ErrChanged, l.F.Path(name))
	}
	return true, nil
}
