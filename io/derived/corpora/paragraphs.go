package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/paragraph"
)

// Paragraphs that many hosts have are found before filtering, in two steps. The step lines hashes the paragraphs of a
// unit, and common finds those that enough hosts have. The document with the smallest hash keeps such a paragraph, so
// that one of ten copies of an article stays complete. It is one that the filters take, and not a duplicate by URL or
// body. Otherwise no document of the corpus might have the paragraph.

// LinesKey identifies the result of the step lines for a unit.
func (s *Steps) LinesKey(unit holdings.Part) string {
	o := s.Options
	return keyOf("owners 2", o.versions(), o.Recipe.BeforePlugs(), o.Hosts, o.Tokens, slices.Contains(o.Dedup, ByURL),
		slices.Contains(o.Dedup, ByPayload), sumsOf(unit))
}

// CommonKey identifies the result of the step common for units with these keys of LinesKey.
func (s *Steps) CommonKey(lines []string) string {
	o := s.Options
	return keyOf("common", o.Paragraphs, o.Dedup, o.Keep, o.KeepURL, o.Against, o.AgainstMade,
		slices.Compact(slices.Sorted(slices.Values(lines))))
}

const (
	// lineBytes is the size of three hashes: of a paragraph, a document and its host.
	lineBytes = 3 * 8
	// leftOut is a bit of the hash of a document that the corpus leaves out. It keeps a paragraph if no other has it.
	leftOut = 1 << 63
)

// Lines judges the documents of a unit, and writes signatures of those that pass. It writes their paragraphs too: for
// each paragraph and host the documents that pass, or else the first document, by its hash.
func (s *Steps) Lines(ctx context.Context, unit holdings.Part) (key string, err error) {
	key = s.LinesKey(unit)
	name := hidden("lines", key, ".bin")
	if ok, err := s.has(name); ok || err != nil {
		return key, err
	}
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	signs, err := createRecords(s.Out)
	if err != nil {
		return key, err
	}
	defer signs.abort()
	// Plugs are slow, and are asked once, by the step sign.
	chain, err := s.Options.Recipe.BeforePlugs().Chain(s.Tools)
	if err != nil {
		return key, err
	}
	p := &filter.Page{Count: s.Tools.Tokens}
	number := uint32(0)
	for d, err := range unit.Documents(ctx) {
		if err != nil {
			return key, err
		}
		if d.Text == "" {
			continue
		}
		own := s.owner(d)
		if p.Reset(d); chain.Judge(p) != "" {
			own |= leftOut
		} else {
			sig := describe(d, len(p.Text))
			sig.whole = wholeOf(d)
			if err := signs.add(signedKey(key, own, number), sig.append(nil)); err != nil {
				return key, err
			}
		}
		number++
		if err := addLines(sorter, d, own); err != nil {
			return key, err
		}
	}
	if err := signs.end(hidden("signs", key, ".bin")); err != nil {
		return key, err
	}
	return key, s.writeLines(name, sorter)
}

// signedKey is the key of a signature of the step lines. The order depends on documents and not on units, since it
// decides between equal documents.
func signedKey(unit string, owner uint64, number uint32) []byte {
	key := append(binary.BigEndian.AppendUint64(nil, owner), unit...)
	return binary.BigEndian.AppendUint32(key, number)
}

// addLines adds the paragraphs of a document.
func addLines(sorter *extsort.Sorter, d *schemas.Document, own uint64) (err error) {
	var record [lineBytes]byte
	// The host precedes the document, so that its first document comes first.
	host := hashOf([]byte(d.Host))
	copy(record[8:], host[:8])
	binary.BigEndian.PutUint64(record[16:], own)
	_, _ = paragraph.Remove(d.Text, func(hash uint64) bool {
		binary.BigEndian.PutUint64(record[:], hash)
		err = errors.Join(err, sorter.Add(record[:], nil))
		return false
	})
	return err
}

func (s *Steps) writeLines(name string, sorter *extsort.Sorter) error {
	w, err := createRecords(s.Out)
	if err != nil {
		return err
	}
	defer w.abort()
	var last []byte
	err = sorter.Merge(func(record, _ []byte) error {
		size := lineBytes
		if binary.BigEndian.Uint64(record[16:])&leftOut != 0 {
			size = 16 // one document of the host is enough
		}
		if last != nil && bytes.Equal(last[:size], record[:size]) {
			return nil
		}
		last = append(last[:0], record...)
		return w.add(record, nil)
	})
	if err != nil {
		return err
	}
	return w.end(name)
}

// owner returns the hash by which documents compete for a paragraph, below leftOut. Captures of a URL with one time
// share it if one of them stays: it is not known which. The URL may have several spellings.
func (s *Steps) owner(d *schemas.Document) uint64 {
	h := captureHash(d.URL, d.Timestamp, d.Filename, d.Offset, d.Sequence)
	switch by := s.Options.Dedup; {
	case d.SURT == "":
	case slices.Contains(by, ByURL):
		h = captureHash(d.SURT, d.Timestamp, "", 0, 0)
	case slices.Contains(by, ByPayload) && d.Digest != "" && d.BodyBytes > 0:
		h = captureHash(d.SURT, d.Timestamp, d.Digest, 0, 0)
	}
	return binary.BigEndian.Uint64(h.Sum(nil)) &^ leftOut
}

func cutsName(common, lines string) string { return hidden("cuts-"+common, lines, ".bin") }

// Common finds the paragraphs that at least Options.Paragraphs hosts have. For each unit it writes those that the unit
// has, with their owners. It takes keys of LinesKey and returns that of CommonKey.
func (s *Steps) Common(ctx context.Context, lines []string) (key string, err error) {
	lines = slices.Compact(slices.Sorted(slices.Values(lines)))
	key = s.CommonKey(lines)
	// The last unit's file is written last.
	if ok, err := s.has(hidden("common", key, ".json")); ok || err != nil {
		return key, err
	}
	all, cuts := s.sorter(), s.sorter()
	defer func() { err = errors.Join(err, all.Close(), cuts.Close()) }()
	n := Numbered{Key: key, Units: lines}
	if err := s.number(&n); err != nil {
		return key, err
	}
	fates := make([]fate, n.Documents)
	for _, by := range s.Options.searches() {
		// Texts are compared without shared paragraphs, by the step exact.
		if by == ByURL || by == ByPayload {
			if err := s.equal(ctx, n, by, fates, nil); err != nil {
				return key, err
			}
		}
	}
	if err := s.gatherLines(n, fates, all); err != nil {
		return key, err
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

// gatherLines adds the paragraphs of all units to a sorter, by paragraph, document and host, with the unit's number. It
// holds the hashes of one unit's documents.
func (s *Steps) gatherLines(n Numbered, fates []fate, all *extsort.Sorter) (err error) {
	staying := s.sorter() // units and documents
	defer func() { err = errors.Join(err, staying.Close()) }()
	i := 0
	err = eachRecord(s.Out, hidden("ordered", n.Key, ".bin"), func(k, _ []byte) error {
		if i >= len(fates) || len(k) <= 12 {
			return errRecords
		}
		if i++; fates[i-1] != stays {
			return nil
		}
		return staying.Add(append(bytes.Clone(k[8:len(k)-4]), k[:8]...), nil)
	})
	if err != nil {
		return err
	}
	documents := map[uint64]bool{}
	unit := 0
	end := func() error {
		err := s.unitLines(n.Units[unit], uint32(unit), documents, all)
		clear(documents)
		unit++
		return err
	}
	err = staying.Merge(func(k, _ []byte) error {
		for unit < len(n.Units) && !bytes.HasPrefix(k, []byte(n.Units[unit])) {
			if err := end(); err != nil {
				return err
			}
		}
		if unit == len(n.Units) {
			return errRecords
		}
		documents[binary.BigEndian.Uint64(k[len(k)-8:])] = true
		return nil
	})
	for err == nil && unit < len(n.Units) {
		err = end()
	}
	return err
}

// unitLines adds the paragraphs of a unit, of which these documents stay.
func (s *Steps) unitLines(unit string, number uint32, documents map[uint64]bool, all *extsort.Sorter) error {
	var record [lineBytes]byte
	return eachRecord(s.Out, hidden("lines", unit, ".bin"), func(r, _ []byte) error {
		if len(r) != lineBytes {
			return errRecords
		}
		own := binary.BigEndian.Uint64(r[16:])
		if !documents[own] {
			own |= leftOut
		}
		// The document precedes the host: the first one owns the paragraph.
		copy(record[:8], r[:8])
		binary.BigEndian.PutUint64(record[8:], own)
		copy(record[16:], r[8:16])
		return all.Add(record[:], binary.BigEndian.AppendUint32(nil, number))
	})
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
		cuts[binary.BigEndian.Uint64(k)] = binary.BigEndian.Uint64(v) &^ leftOut
		return nil
	})
	return cuts, err
}
