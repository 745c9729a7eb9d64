package contentdb

import (
	"context"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// linksDir is the folder of the index of links, in that of the index.
const linksDir = "links"

// UpdateLinks brings the index of links of the collection in f up to date with part, or makes it again. If nothing can
// be written, it does nothing.
func UpdateLinks(ctx context.Context, f folder.Folder, part holdings.Part, rebuild bool) (linkindex.Report, error) {
	dir, canWrite, err := index.Dir(f)
	if err != nil || !canWrite {
		return linkindex.Report{}, err
	}
	dir = filepath.Join(dir, linksDir)
	if rebuild {
		if err := linkindex.Remove(dir); err != nil {
			return linkindex.Report{}, err
		}
	}
	return linkindex.Update(ctx, dir, part)
}

// OpenLinks opens the index of links of the collection in f. It returns ErrNotThere if the collection has no links, and
// linkindex.ErrStale if UpdateLinks must be called first.
func OpenLinks(f folder.Folder, part holdings.Part) (*linkindex.Index, error) {
	if err := hasLinks(part); err != nil {
		return nil, err
	}
	dir, _, err := index.Dir(f)
	if err != nil {
		return nil, err
	}
	return linkindex.Open(filepath.Join(dir, linksDir), part)
}

// checkLinks returns the problems of the index of links. Without an index there are none.
func checkLinks(ctx context.Context, f folder.Folder, part holdings.Part) ([]string, error) {
	dir, _, err := index.Dir(f)
	if err != nil {
		return nil, err
	}
	return linkindex.Check(ctx, filepath.Join(dir, linksDir), part)
}
