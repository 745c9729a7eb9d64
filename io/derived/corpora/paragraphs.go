package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/paragraph"
)

// Paragraphs that many hosts have are found before filtering, in two steps. The step lines hashes the paragraphs of a
// unit, and common finds those that enough hosts have. The document with the smallest hash keeps such a paragraph, so
// that one of ten copies of an article stays complete.

// LinesKey identifies the result of the step lines for a unit.
func (s *Steps) LinesKey(unit holdings.Part) string {
	var sums []string
	for _, shard := range unit.DocumentShards() {
		sums = append(sums, shard.SHA256)
	}
	return keyOf("lines", layout, paragraph.Version, sums)
}

// CommonKey identifies the result of the step common for units with these keys of LinesKey.
func (s *Steps) CommonKey(lines []string) string {
	return keyOf("common", s.Options.Paragraphs, slices.Compact(slices.Sorted(slices.Values(lines))))
}

// lineBytes is the size of three hashes: of a paragraph, a document and its host.
const lineBytes = 3 * 8

// Lines writes the paragraphs of a unit: for each paragraph and host the first document, by its hash.
func (s *Steps) Lines(ctx context.Context, unit holdings.Part) (key string, err error) {
	key = s.LinesKey(unit)
	name := hidden("lines", key, ".bin")
	if ok, err := s.has(name); ok || err != nil {
		return key, err
	}
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	var record [lineBytes]byte
	for d, err := range unit.Documents(ctx) {
		if err != nil {
			return key, err
		}
		// The host precedes the document, so that its first document comes first.
		host := hashOf([]byte(d.Host))
		copy(record[8:], host[:8])
		binary.BigEndian.PutUint64(record[16:], owner(d))
		_, _ = paragraph.Remove(d.Text, func(hash uint64) bool {
			binary.BigEndian.PutUint64(record[:], hash)
			err = errors.Join(err, sorter.Add(record[:], nil))
			return false
		})
		if err != nil {
			return key, err
		}
	}
	w, err := createRecords(s.Out)
	if err != nil {
		return key, err
	}
	defer w.abort()
	var last []byte
	err = sorter.Merge(func(record, _ []byte) error {
		if bytes.Equal(last, record[:16]) {
			return nil
		}
		last = append(last[:0], record[:16]...)
		return w.add(record, nil)
	})
	if err != nil {
		return key, err
	}
	return key, w.end(name)
}

// owner returns the hash by which documents compete for a paragraph.
func owner(d *schemas.Document) uint64 {
	h := captureHash(d.URL, d.Timestamp, d.Filename, d.Offset, d.Sequence).Sum(nil)
	return binary.BigEndian.Uint64(h)
}

func cutsName(common, lines string) string { return hidden("cuts-"+common, lines, ".bin") }

// Common finds the paragraphs that at least Options.Paragraphs hosts have. For each unit it writes those that the unit
// has, with their owners. It takes keys of LinesKey and returns that of CommonKey.
func (s *Steps) Common(_ context.Context, lines []string) (key string, err error) {
	lines = slices.Compact(slices.Sorted(slices.Values(lines)))
	key = s.CommonKey(lines)
	// The last unit's file is written last.
	if ok, err := s.has(hidden("common", key, ".json")); ok || err != nil {
		return key, err
	}
	all, cuts := s.sorter(), s.sorter()
	defer func() { err = errors.Join(err, all.Close(), cuts.Close()) }()
	var key24, value [lineBytes]byte
	for i, unit := range lines {
		binary.BigEndian.PutUint32(value[:], uint32(i))
		err := eachRecord(s.Out, hidden("lines", unit, ".bin"), func(r, _ []byte) error {
			if len(r) != lineBytes {
				return errRecords
			}
			// The document precedes the host: the first one owns the paragraph.
			copy(key24[:8], r[:8])
			copy(key24[8:], r[16:])
			copy(key24[16:], r[8:16])
			return all.Add(key24[:], value[:4])
		})
		if err != nil {
			return key, err
		}
	}
	g := lineGroup{least: s.Options.Paragraphs, emit: cuts.Add}
	if err := all.Merge(g.add); err != nil {
		return key, err
	}
	if err := s.writeCuts(key, lines, cuts.Merge); err != nil {
		return key, err
	}
	return key, writeJSON(s.Out, hidden("common", key, ".json"), lines)
}

// lineGroup emits the occurrences of a paragraph once enough hosts have it. Until then it holds them, at most one for
// each unit of a few hosts.
type lineGroup struct {
	least int
	emit  func(key, value []byte) error

	line, owner []byte
	hosts       [][8]byte
	units       []uint32
}

func (g *lineGroup) add(key, value []byte) error {
	if !bytes.Equal(g.line, key[:8]) {
		g.line, g.owner = append(g.line[:0], key[:8]...), append(g.owner[:0], key[8:16]...)
		g.hosts, g.units = g.hosts[:0], g.units[:0]
	}
	unit := binary.BigEndian.Uint32(value)
	if len(g.hosts) >= g.least {
		return g.pass(unit)
	}
	if len(g.units) == 0 || g.units[len(g.units)-1] != unit {
		g.units = append(g.units, unit)
	}
	if host := [8]byte(key[16:]); !slices.Contains(g.hosts, host) {
		g.hosts = append(g.hosts, host)
	}
	if len(g.hosts) < g.least {
		return nil
	}
	for _, unit := range g.units {
		if err := g.pass(unit); err != nil {
			return err
		}
	}
	return nil
}

func (g *lineGroup) pass(unit uint32) error {
	return g.emit(append(binary.BigEndian.AppendUint32(nil, unit), g.line...), g.owner)
}

// writeCuts writes a file for each unit, even an empty one, so that a lost file is an error.
func (s *Steps) writeCuts(key string, lines []string, each func(func(key, value []byte) error) error) (err error) {
	var w *records
	at := -1
	next := func() error {
		if w != nil {
			if err := w.end(cutsName(key, lines[at])); err != nil {
				return err
			}
		}
		w = nil
		if at++; at < len(lines) {
			w, err = createRecords(s.Out)
		}
		return err
	}
	defer func() {
		if w != nil {
			w.abort()
		}
	}()
	if err := next(); err != nil {
		return err
	}
	var last []byte
	err = each(func(k, owner []byte) error {
		for at < int(binary.BigEndian.Uint32(k)) {
			if err := next(); err != nil {
				return err
			}
		}
		if bytes.Equal(last, k) {
			return nil
		}
		last = append(last[:0], k...)
		return w.add(k[4:], owner)
	})
	for err == nil && at < len(lines) {
		err = next()
	}
	return err
}

// readCuts reads the shared paragraphs of this unit, and their owners. They are fewer than the unit's paragraphs.
func (s *Steps) readCuts(unit holdings.Part) (map[uint64]uint64, error) {
	cuts := map[uint64]uint64{}
	err := eachRecord(s.Out, cutsName(s.Shared, s.LinesKey(unit)), func(k, v []byte) error {
		if len(k) != 8 || len(v) != 8 {
			return errRecords
		}
		cuts[binary.BigEndian.Uint64(k)] = binary.BigEndian.Uint64(v)
		return nil
	})
	return cuts, err
}
