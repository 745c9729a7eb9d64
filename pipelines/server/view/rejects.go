package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxRejects is how many rows, and names of files that are not archives, a page lists.
const maxRejects = 100

// Rejects are what could not be read or enriched. Files that are not archives are counted apart, so that they do not
// bury damage.
type Rejects struct {
	Count  int64       `json:"count"`
	Unread int64       `json:"unread_files" doc:"files that could not be read completely"`
	Listed []RejectRow `json:"listed" doc:"those with most bytes lost first; at most 100"`
	Others Others      `json:"not_archives"`
	Note   string      `json:"note,omitempty" doc:"rejects that are missing here, and from the states of archives"`

	byFile map[string]*fault
}

// Others are files that are not archives.
type Others struct {
	Count   int64    `json:"count"`
	Indexes int64    `json:"indexes" doc:"of count: CDX and CDXJ, by their names"`
	Files   []string `json:"files" doc:"the first 100"`
}

// Damage is the number of rejects that are not files without captures.
func (r *Rejects) Damage() int64 { return r.Count - r.Others.Count }

// RejectRow is something that could not be read or enriched.
type RejectRow struct {
	// This is its place, so that it can be inspected in the archive.
	File    string `json:"filename"`
	Offset  int64  `json:"offset"`
	Lost    int64  `json:"bytes_lost"`
	Kind    string `json:"kind"`
	Stage   string `json:"stage"`
	Message string `json:"message"`
	URL     string `json:"url,omitempty"`
	Link    string `json:"link,omitempty"`
}

// rejectsOf reads the rejects of a collection, once for each manifest.
func rejectsOf(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) (*Rejects, error) {
	return shelf.Once(now, "rejects", func() (*Rejects, error) {
		list := &Rejects{Count: now.Manifest.Totals.Rejects, Listed: []RejectRow{}, Others: Others{Files: []string{}}}
		list.byFile = map[string]*fault{}
		if u := now.Manifest.Unread; u != nil {
			list.Unread = u.Files
		}
		missing := 0
		for _, s := range now.Part.Of(holdings.KindRejects) {
			part := now.Part
			part.Shards = []schemas.Shard{s}
			for r, err := range part.Rejects(context.WithoutCancel(ctx)) {
				// A missing file of rejects is not an error, and the others still count.
				if errors.Is(err, fs.ErrNotExist) {
					missing++
					break
				}
				if err != nil {
					return nil, err
				}
				list.add(c.Name(), r)
			}
		}
		if missing > 0 {
			list.Note = fmt.Sprintf("Files with rejects are missing: %d. Damage that they list is not shown.", missing)
		}
		list.sort()
		return list, nil
	})
}

func (r *Rejects) add(collection string, one schemas.Reject) {
	if r.byFile[one.File] == nil {
		r.byFile[one.File] = &fault{}
	}
	r.byFile[one.File].add(one)
	if isOther(one) {
		r.Others.Count++
		if isIndex(one.File) {
			r.Others.Indexes++
		}
		if len(r.Others.Files) < maxRejects {
			r.Others.Files = append(r.Others.Files, one.File)
		}
		return
	}
	// These are places in archives, so that readers can inspect the bytes with other tools.
	row := RejectRow{
		File: one.File, Offset: one.Offset, Lost: one.Lost, Kind: string(one.Kind), Stage: one.Stage,
		Message: one.Message, URL: one.URL,
	}
	// Only records with a readable header have a URL.
	if one.URL != "" {
		row.Link = page(collection, "resource", ResourceRequest{URL: one.URL})
	}
	// Sorted now and then, so that few are held.
	if r.Listed = append(r.Listed, row); len(r.Listed) >= 10*maxRejects {
		r.sort()
	}
}

// isOther reports whether a reject is a file that is not an archive. No bytes of it are lost.
func isOther(r schemas.Reject) bool {
	return r.Stage == "read" && r.Kind == schemas.KindUnsupported && r.Offset == 0 && r.Lost == 0
}

// sort sorts by bytes lost, and cuts the list. Equal ones stay in the order of the input.
func (r *Rejects) sort() {
	slices.SortStableFunc(r.Listed, func(a, b RejectRow) int { return cmp.Compare(b.Lost, a.Lost) })
	r.Listed = r.Listed[:min(maxRejects, len(r.Listed))]
}

// isIndex reports whether a file is an index of archives, by its name.
func isIndex(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(path.Base(name)), ".gz")
	return strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdxj")
}
