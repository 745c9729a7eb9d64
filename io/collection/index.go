package collection

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// index makes the index of the units under a temporary name, unless the existing one is theirs. If no index is wanted,
// it notes that the old one goes. It returns the manifest's files, and notes in k the steps that remain.
func (c *Collection) index(units []schemas.UnitResult, wanted bool, k *ledger.Commit) ([]schemas.Shard, error) {
	size, err := c.indexSize()
	if err != nil {
		return nil, err
	}
	if !wanted {
		k.NoIndex = size >= 0
		return nil, nil
	}
	// verifyIndex has compared the bytes in Resume: the length suffices.
	if listed := c.listed(units); len(listed) == 1 && listed[0].Bytes == size {
		return listed, nil
	}
	made, temp, err := c.makeIndex(units)
	k.Index = temp
	return []schemas.Shard{made}, err
}

// indexSize returns the length of the index, or -1 if it does not exist.
func (c *Collection) indexSize() (int64, error) {
	size, err := c.f.Size(ledger.IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return size, nil
}

// listed returns the files of the current manifest if it has the same units.
func (c *Collection) listed(units []schemas.UnitResult) []schemas.Shard {
	m, err := holdings.ReadManifest(c.f)
	if err != nil {
		return nil // without a readable manifest the index is made again
	}
	same := slices.EqualFunc(m.Units, units, func(a, b schemas.UnitResult) bool {
		return slices.Equal(a.Inputs, b.Inputs) && slices.Equal(a.Shards, b.Shards)
	})
	if !same {
		return nil
	}
	return m.Files
}

// verifyIndex returns ErrChanged if the index exists and differs from the manifest.
func (c *Collection) verifyIndex(files ledger.Listing) error {
	index, there := files.Stat(ledger.IndexFile)
	if !there {
		return nil
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil {
		return nil // no finished run says what the index should be
	}
	for _, f := range m.Files {
		if f.Name != ledger.IndexFile {
			continue
		}
		at := index.Modified
		// The index is always written before the manifest. A later change needs its bytes hashed, which the zero time
		// asks for.
		if manifest, _ := files.Stat(holdings.ManifestFile); !at.Before(manifest.Modified) {
			at = time.Time{}
		}
		if _, err := files.Verify(ledger.IndexFile, f, at); err != nil {
			return err
		}
	}
	return nil
}

// makeIndex sorts the lines of all units into an index with a temporary name. One shard is open at a time; what exceeds
// the sorter's memory goes to one temporary file.
func (c *Collection) makeIndex(units []schemas.UnitResult) (made schemas.Shard, temp string, err error) {
	attempt := folder.Unique()
	spill, err := c.f.Temp(ledger.SpillName(attempt))
	if err != nil {
		return schemas.Shard{}, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	out, err := shard.Create(c.f, ledger.IndexFile, attempt)
	if err != nil {
		return schemas.Shard{}, "", err
	}
	w := cdx.NewSortedWriter(out, cdx.Options{TempDir: spill, Plain: true})
	out.Enc = w
	if err = c.addShards(w, units); err == nil {
		made, err = out.Finish()
	}
	if err != nil {
		out.Discard()
		return schemas.Shard{}, "", err
	}
	return made, out.Temp, nil
}

// addShards adds the lines of all units.
func (c *Collection) addShards(w *cdx.SortedWriter, units []schemas.UnitResult) error {
	dir := holdings.ArchiveDir(units)
	for _, u := range units {
		for _, s := range u.Shards {
			if err := c.addShard(w, s, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// addShard adds the lines of a shard of captures, with archive names relative to dir. It skips other shards.
func (c *Collection) addShard(w *cdx.SortedWriter, s schemas.Shard, dir string) (err error) {
	if n, _ := holdings.ParseName(s.Name); n.Kind != holdings.KindCaptures { // Finish has checked the names
		return nil
	}
	f, err := c.f.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := holdings.NewShardReader(c.f.Path(s.Name), f)
	r, err := lines.NewReader(in, holdings.MaxLineBytes)
	if err != nil {
		return in.Why(err)
	}
	for {
		// Only the archive's name changes, so the line need not be parsed.
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			// A damaged shard gives no index, in which its damage would be invisible.
			return in.Check(s.SHA256)
		}
		if err != nil {
			return in.Why(err)
		}
		if err := w.AddText(cdx.TrimDir(line, dir)); err != nil {
			return err
		}
	}
}
