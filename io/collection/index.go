package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// IndexFile is the name of the index over all units inside the folder: the lines of all captures' shards in one plain
// CDXJ file, sorted bytewise, in which names of archives are relative to the deepest folder that holds them all.
// The name is the collection's own: a run to which no index belongs removes such a file.
const IndexFile = "index.cdxj"

// maxLineBytes bounds a line of our own shards. Their writer has bounded it already: by the limit on a record's head,
// a few times over for escapes.
const maxLineBytes = 1 << 30

// index makes the index of the units under a temporary name, keeps the one that is there when it is theirs, or has one
// go that is not wanted. It returns what the manifest lists; the commit gets what is left to do.
func (c *Collection) index(units []schemas.UnitResult, wanted bool, k *commit) ([]schemas.Shard, error) {
	size, err := c.indexSize()
	if err != nil {
		return nil, err
	}
	if !wanted {
		k.NoIndex = size >= 0
		return nil, nil
	}
	// Its bytes were compared by Resume (verifyIndex): the length is enough here.
	if listed := c.listed(units); len(listed) == 1 && listed[0].Bytes == size {
		return listed, nil
	}
	made, temp, err := c.makeIndex(units)
	k.Index = temp
	return []schemas.Shard{made}, err
}

// indexSize is the length of the index, -1 when there is none.
func (c *Collection) indexSize() (int64, error) {
	size, err := c.f.Size(IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return size, nil
}

// listed returns the files of the manifest that is there, when it is of the same units.
func (c *Collection) listed(units []schemas.UnitResult) []schemas.Shard {
	m, err := ReadManifest(c.f)
	if err != nil {
		return nil // there is none, or none that says anything: the index is made again
	}
	same := slices.EqualFunc(m.Units, units, func(a, b schemas.UnitResult) bool {
		return slices.Equal(a.Inputs, b.Inputs) && slices.Equal(a.Shards, b.Shards)
	})
	if !same {
		return nil
	}
	return m.Files
}

// verifyIndex is ErrChanged when the index is there and not what the manifest says.
func (c *Collection) verifyIndex() error {
	if _, there := c.stats[IndexFile]; !there {
		return nil
	}
	m, err := ReadManifest(c.f)
	if err != nil {
		return nil // no finished run: nothing says what it should be
	}
	for _, f := range m.Files {
		if f.Name != IndexFile {
			continue
		}
		at := c.stats[IndexFile].Modified
		// The index is always written before the manifest; at zero its bytes are hashed.
		if !at.Before(c.stats[ManifestFile].Modified) {
			at = time.Time{} // it may have been changed after the manifest was written
		}
		if _, err := c.verifyFile(IndexFile, f, at); err != nil {
			return err
		}
	}
	return nil
}

// makeIndex sorts the lines of all units into the index: one shard is open at a time, and what does not fit the
// sorter's memory is in one temporary file. The index itself has a temporary name, too.
func (c *Collection) makeIndex(units []schemas.UnitResult) (made schemas.Shard, temp string, err error) {
	attempt := folder.Unique()
	spill, err := c.f.Temp(hidden(spillStart + attempt))
	if err != nil {
		return schemas.Shard{}, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	out, err := newOutput(c.f, IndexFile, attempt)
	if err != nil {
		return schemas.Shard{}, "", err
	}
	w := cdx.NewSortedWriter(out, cdx.Options{TempDir: spill, Plain: true})
	out.enc = w
	if err = c.addShards(w, units); err == nil {
		made, err = out.finish()
	}
	if err != nil {
		out.discard()
		return schemas.Shard{}, "", err
	}
	return made, out.temp, nil
}

// addShards adds the lines of all units.
func (c *Collection) addShards(w *cdx.SortedWriter, units []schemas.UnitResult) error {
	dir := ArchiveDir(units)
	for _, u := range units {
		for _, s := range u.Shards {
			if err := c.addShard(w, s, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// addShard adds the lines of a shard, if it is one of captures, with the archives' names relative to dir.
func (c *Collection) addShard(w *cdx.SortedWriter, s schemas.Shard, dir string) (err error) {
	if n, _ := parseShard(s.Name); n.kind != kindCaptures { // Finish has checked the names
		return nil
	}
	f, err := c.f.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := &shardReader{path: c.f.Path(s.Name), r: f, hash: sha256.New()}
	r, err := lines.NewReader(in, maxLineBytes)
	if err != nil {
		return in.why(err)
	}
	for {
		// The line is copied by the sorter, and not parsed: only the name of the archive changes.
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			// A damaged shard gives no index: its lines would be in it without a sign.
			return in.check(s.SHA256)
		}
		if err != nil {
			return in.why(err)
		}
		if err := w.AddText(cdx.TrimDir(line, dir)); err != nil {
			return err
		}
	}
}

// shardReader reads a shard and hashes it.
type shardReader struct {
	path string
	r    io.Reader
	hash hash.Hash
	err  error // that reading failed with
}

func (r *shardReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	// Hashed as it is read, so that a shard is read once.
	r.hash.Write(p[:n]) // a hash never fails to write
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// why is what is wrong with a shard whose lines gave an error: it could not be read, or else it was changed.
func (r *shardReader) why(err error) error {
	if r.err != nil {
		return fmt.Errorf("%s: %w", r.path, r.err)
	}
	return changed(r.path, err)
}

// check reads to the end and compares the hash with that of what the unit wrote.
func (r *shardReader) check(written string) error {
	// The decoder may stop before the end of the file, and the hash is of all of it.
	if _, err := io.Copy(io.Discard, r); err != nil {
		return r.why(err)
	}
	if hex.EncodeToString(r.hash.Sum(nil)) != written {
		return changed(r.path, errors.New("other bytes"))
	}
	return nil
}

func changed(path string, why error) error {
	return fmt.Errorf("%w: %s: %w: remove it and run again, or start over with --fresh", ErrChanged, path, why)
}

// ArchiveDir is the deepest folder that holds all archives of the units, with the slash at its end; "" when there is
// none. It is what index lines leave out: tools that read an index are told the folder, and look for names in it.
func ArchiveDir(units []schemas.UnitResult) string {
	dir, first := "", true
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Format == "" {
				continue // no archive
			}
			// Until one was seen "" is not a folder that all have in common.
			if first {
				dir, first = in.File, false
			}
			dir = commonDir(dir, in.File)
		}
	}
	return dir
}

// commonDir is the longest beginning of both names that ends in a slash.
func commonDir(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	// -1 without a slash, and so "".
	return a[:strings.LastIndexByte(a[:n], '/')+1]
}
