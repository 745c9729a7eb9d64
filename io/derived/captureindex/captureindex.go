// Package captureindex keeps the folder of a capture index over many archives. It grows: new lines are merged into the
// old ones, which are not sorted again. The folder is a ZipNum cluster (package zipnum), which pywb reads.
//
//	cluster.idx           the blocks; the file that makes an update visible
//	cluster.loc           the path of the part
//	cdx-00002.cdxj.gz     the part of the second update
//	sources-00002.jsonl   what the lines came from
//	.gleaner/             marker and lock
//
// An update writes a new part and a new list of sources, and then replaces cluster.idx in one step. A process that is
// killed leaves the old index or the new one, and the next update removes the other's files. A block between whose
// lines no new line falls is copied without decoding it.
//
// It does not read archives or collections: callers sort their lines, and say which lines leave.
//
//	x, err := captureindex.Open(folder.Open(ctx, "index", nil))
//	defer x.Close()
//	done, err := x.Update(ctx, captureindex.Update{Lines: sorter, Sources: append(x.Sources(), fresh...)})
package captureindex

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// Kinds of errors.
var (
	ErrForeign = errors.New("captureindex: the folder has files of something else")
	ErrState   = errors.New("captureindex: damaged list of sources")
)

// Source is something that lines came from: an archive, a collection or another index.
type Source struct {
	Name  string `json:"source"`
	Stamp string `json:"stamp"` // changes when the source does
	// Path is the absolute path of a local source without links, as the name may be relative. Older indexes have none.
	Path string `json:"path,omitempty"`
	// Archives are the archives that its lines name, as they name them.
	Archives []string `json:"archives"`
}

// State is what the list of sources begins with.
type State struct {
	Update  int               `json:"update"` // number of the update, from 1; 0 for an empty folder
	Lines   int64             `json:"lines"`
	Blocks  int64             `json:"blocks"`
	Options map[string]string `json:"options,omitempty"` // of the caller, which lines depend on
}

// Folder is an open index. One process at a time has it open for writing.
type Folder struct {
	f       folder.Folder
	lock    *claim.Claimed
	state   State
	sources []Source
}

var marker = claim.Marker{
	Name: "captureindex", Text: "This folder is written by Gleaner's convert cdx, layout 1.\n", Foreign: ErrForeign,
}

// Open opens the index in a local folder, which it makes if needed, and takes its lock. It returns folder.ErrBusy if
// another run has the lock. It removes leftovers of killed runs.
func Open(f folder.Folder) (*Folder, error) {
	lock, err := marker.Claim(f)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Path(""), err)
	}
	x := &Folder{f: f, lock: lock}
	if err = x.read(); err == nil {
		err = x.sweep()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", f.Path(""), err), x.Close())
	}
	return x, nil
}

// Close releases the folder.
func (x *Folder) Close() error { return x.lock.Close() }

// State describes the index.
func (x *Folder) State() State { return x.state }

// Sources returns the sources of the index. The caller must not change them.
func (x *Folder) Sources() []Source { return x.sources }

func partName(update int) string    { return fmt.Sprintf("cdx-%05d", update) }
func partFile(update int) string    { return partName(update) + ".cdxj.gz" }
func sourcesFile(update int) string { return fmt.Sprintf("sources-%05d.jsonl", update) }

// updateOf returns the number of the update that a file is of; is reports whether it is of one.
func updateOf(name string) (update int, is bool) {
	_, digits, _ := strings.Cut(name, "-")
	digits, _, _ = strings.Cut(digits, ".")
	update, err := strconv.Atoi(digits)
	return update, err == nil && (name == partFile(update) || name == sourcesFile(update))
}

// read reads the state. The first line of cluster.idx has the part, which tells the number of the update.
func (x *Folder) read() error {
	update, err := x.current()
	if err != nil || update == 0 {
		return err
	}
	r, err := x.f.Open(sourcesFile(update))
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read only
	in, err := lines.NewReader(r, maxSource)
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		line, err := in.Next()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		var s Source
		if err == nil && first {
			err = json.Unmarshal(line, &x.state)
		} else if err == nil {
			err = json.Unmarshal(line, &s)
			x.sources = append(x.sources, s)
		}
		if err != nil || x.state.Update != update {
			return fmt.Errorf("%s: %w: %w", x.f.Path(sourcesFile(update)), ErrState, in.Place(err))
		}
	}
}

// maxSource limits a line of the list of sources, in bytes. A collection of a million archives has 100 MB.
const maxSource = 1 << 30

// current returns the number of the update in cluster.idx, or 0 if there is none.
func (x *Folder) current() (int, error) {
	r, err := x.f.Open(zipnum.IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close() }() // read only
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	k, err := zipnum.ParseBlock([]byte(strings.TrimSuffix(line, "\n")))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", x.f.Path(zipnum.IndexFile), err)
	}
	update := 0
	if _, err := fmt.Sscanf(k.Part, "cdx-%d", &update); err != nil || partName(update) != k.Part {
		return 0, fmt.Errorf("%s: %w: part %q", x.f.Path(zipnum.IndexFile), ErrForeign, k.Part)
	}
	return update, nil
}

// sweep removes files of other updates, which a killed run has left.
func (x *Folder) sweep() error {
	names, err := x.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if update, is := updateOf(name); is && update != x.state.Update {
			if err := x.f.Remove(name); err != nil {
				return err
			}
		}
	}
	return x.f.RemoveAll(".*" + tempPart + "*")
}

// tempPart is in the names of files that are being written, after a dot and the final name.
const tempPart = ".tmp-"

// create writes a file under a temporary name, and gives it its name when it is complete and on the disk.
func (x *Folder) create(name string, write func(io.Writer) error) (err error) {
	temp := "." + name + tempPart + folder.Unique()
	f, err := x.f.Create(temp)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	if err = write(out); err == nil {
		err = errors.Join(out.Flush(), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = x.f.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, x.f.Remove(temp))
	}
	return x.f.Sync("")
}

// writeSources writes the list of sources of an update.
func (x *Folder) writeSources(s State, sources []Source) error {
	return x.create(sourcesFile(s.Update), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			return err
		}
		for i := range sources {
			if err := enc.Encode(&sources[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Note replaces the list of sources in one step. The lines stay as they are.
func (x *Folder) Note(sources []Source) error {
	if err := x.writeSources(x.state, sources); err != nil {
		return err
	}
	x.sources = sources
	return nil
}

// commit makes an update visible.
func (x *Folder) commit(ctx context.Context, next State, idx []byte) error {
	// Until cluster.idx is replaced, readers need the old part, and then the new one.
	loc := zipnum.AppendLoc(nil, partName(next.Update), partFile(next.Update))
	both := loc
	if x.state.Update > 0 {
		both = zipnum.AppendLoc(loc, partName(x.state.Update), partFile(x.state.Update))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := x.f.Write(zipnum.LocFile, both); err != nil {
		return err
	}
	if err := x.f.Write(zipnum.IndexFile, idx); err != nil {
		return err
	}
	x.state = next
	if err := x.f.Write(zipnum.LocFile, loc); err != nil {
		return err
	}
	return x.sweep()
}
