package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
)

// Numbered is the result of the step exact: documents are numbered in the order of their keys.
type Numbered struct {
	Key       string   `json:"key"`
	Units     []string `json:"units"` // keys of Signed, sorted
	Documents int64    `json:"documents"`
	Repeated  int64    `json:"repeated"` // documents of several units, for example two collections of one archive
	Near      bool     `json:"near"`     // near-duplicates are searched
	// Seconds are the times of the searches for duplicates, without that for near ones.
	Seconds map[string]float64 `json:"seconds,omitempty"`
}

// A fate is the result for a document that passed the filters: a byte in a file of fates, at the document's number.
type fate = byte

const (
	stays fate = iota
	sameURL
	samePayload
	sameText
	sameSimhash
	nearDuplicate
	earlierPayload
	earlierText
	earlierNear
	notSampled
)

// fateNames are the reported reasons of fates.
var fateNames = [...]string{
	stays: "", sameURL: "duplicate/url", samePayload: "duplicate/payload", sameText: "duplicate/text",
	sameSimhash:   "duplicate/simhash",
	nearDuplicate: "duplicate/near", earlierPayload: "earlier/payload", earlierText: "earlier/text",
	earlierNear: "earlier/near", notSampled: "sample/left",
}

// Exact numbers the documents of all units, and finds those with the same URL, body or text.
func (s *Steps) Exact(ctx context.Context, units []string) (n Numbered, err error) {
	o := s.Options
	units = slices.Compact(slices.Sorted(slices.Values(units)))
	n = Numbered{
		Key:   keyOf("exact", units, o.Dedup, o.Keep, o.KeepURL, o.Against, o.AgainstMade),
		Units: units, Near: slices.Contains(o.searches(), ByNear),
	}
	if ok, err := done(s.Out, hidden("exact", n.Key, ".json"), &n); ok || err != nil {
		return n, err
	}
	if err := s.number(&n); err != nil {
		return n, err
	}
	fates, like := make([]fate, n.Documents), s.newTwins(n)
	n.Seconds = map[string]float64{}
	for _, by := range o.searches() {
		began := time.Now()
		if err := s.equal(ctx, n, by, fates, like); err != nil {
			return n, err
		}
		n.Seconds[by] = time.Since(began).Seconds()
	}
	if err := s.writeTwins(hidden("twins", n.Key, ".bin"), like); err != nil {
		return n, err
	}
	if err := s.Out.Write(hidden("fates", n.Key, ".bin"), fates); err != nil {
		return n, err
	}
	return n, writeJSON(s.Out, hidden("exact", n.Key, ".json"), n)
}

// number writes all signatures to one file, in order, each once.
func (s *Steps) number(n *Numbered) (err error) {
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	for _, unit := range n.Units {
		if err := eachRecord(s.Out, hidden("signs", unit, ".bin"), sorter.Add); err != nil {
			return err
		}
	}
	w, err := createRecords(s.Out)
	if err != nil {
		return err
	}
	defer w.abort()
	var last []byte
	err = sorter.Merge(func(key, value []byte) error {
		if n.Documents > 0 && bytes.Equal(key, last) {
			n.Repeated++
			return nil
		}
		last = append(last[:0], key...)
		n.Documents++
		return w.add(key, value)
	})
	if err != nil {
		return err
	}
	if n.Documents > cluster.MaxDocuments {
		return cluster.ErrTooMany
	}
	return w.end(hidden("ordered", n.Key, ".bin"))
}

// eachSignature calls do with each remaining document.
func (s *Steps) eachSignature(n Numbered, fates []fate, do func(i uint32, key []byte, sig *signature) error) error {
	i := uint32(0)
	return eachRecord(s.Out, hidden("ordered", n.Key, ".bin"), func(key, value []byte) error {
		at := i
		if i++; int(at) >= len(fates) {
			return errRecords
		}
		if fates[at] != stays {
			return nil
		}
		sig, err := parseSignature(value)
		if err != nil {
			return err
		}
		return do(at, key, &sig)
	})
}

// equal finds documents with an equal hash, and decides which one stays.
func (s *Steps) equal(ctx context.Context, n Numbered, by string, fates []fate, like twins) (err error) {
	rule, dropped, earlier := s.Options.Keep, sameText, earlierText
	hash := func(sig *signature) [idBytes]byte { return sig.text }
	switch by {
	case ByNear:
		return nil
	case ByURL:
		rule, dropped = s.Options.KeepURL, sameURL
		hash = func(sig *signature) [idBytes]byte { return sig.url }
	case BySimhash:
		dropped = sameSimhash
		hash = func(sig *signature) (h [idBytes]byte) {
			binary.BigEndian.PutUint64(h[:], sig.simhash)
			return h
		}
	case ByPayload:
		dropped, earlier = samePayload, earlierPayload
		hash = func(sig *signature) [idBytes]byte { return sig.payload }
	}
	groups := newGroups(s.sorter())
	defer func() { err = errors.Join(err, groups.sorter.Close()) }()
	// A page may have had another text in an earlier corpus, so its URL alone is not a reason; an earlier corpus may
	// lack fingerprints. Documents of earlier corpora come first in their groups.
	if by != ByURL && by != BySimhash {
		err = s.eachEarlier(ctx, func(sig *signature) error {
			h := hash(sig)
			if h == [idBytes]byte{} {
				return nil
			}
			return groups.add(h[:], earlierDocument, cluster.Facts{}, 0)
		})
	}
	if err == nil {
		err = s.eachSignature(n, fates, func(i uint32, _ []byte, sig *signature) error {
			h := hash(sig)
			if h == [idBytes]byte{} {
				return nil
			}
			if by == ByURL || by == ByPayload {
				facts, tie := sig.original()
				return groups.add(h[:], i, facts, tie)
			}
			return groups.add(h[:], i, sig.facts, 0)
		})
	}
	if err != nil {
		return err
	}
	alone := s.Options.onlyEarlier(by)
	return groups.choose(rule, func(i, best uint32) {
		if alone && best != earlierDocument {
			return
		}
		like.set(i, best)
		fates[i] = dropped
		if best == earlierDocument {
			fates[i] = earlier
		}
	})
}

// earlierDocument is the number of all documents of earlier corpora, which always stay.
const earlierDocument = 1<<32 - 1

// eachEarlier calls do with the signatures of earlier corpora.
func (s *Steps) eachEarlier(ctx context.Context, do func(sig *signature) error) error {
	for _, name := range s.Options.Against {
		f := s.Open(ctx, name)
		err := checkEarlier(f)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		err = eachRecord(f, SignaturesFile, func(_, value []byte) error {
			sig, err := parseSignature(value)
			if err != nil {
				return err
			}
			return do(&sig)
		})
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// EarlierKey identifies what the corpora of Options.Against hold, or returns "" without any.
func (s *Steps) EarlierKey(ctx context.Context) (string, error) {
	var made []any
	for _, name := range s.Options.Against {
		f := s.Open(ctx, name)
		m := new(Manifest)
		err := folder.ReadJSON(f, ManifestFile, maxJSON, m)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: not a corpus: %w", f.Path(""), err)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		made = append(made, m.Request, m.Files)
	}
	if made == nil {
		return "", nil
	}
	return keyOf(made...), nil
}

// checkEarlier returns an error unless the signatures of a corpus can be compared with ours.
func checkEarlier(f folder.Folder) error {
	var m Manifest
	if err := folder.ReadJSON(f, ManifestFile, maxJSON, &m); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: not a corpus: %w", f.Path(""), err)
	} else if err != nil {
		return err
	}
	for _, name := range []string{"layout", "minhash"} {
		if got, want := m.Versions[name], versions()[name]; got != want {
			return fmt.Errorf("%s: its signatures are of another version (%s %s, want %s): make it again", f.Path(""), name, got,
				want)
		}
	}
	return nil
}

// groups decides which of several documents with one key stays.
type groups struct {
	sorter *extsort.Sorter
	value  []byte
}

func newGroups(s *extsort.Sorter) *groups { return &groups{sorter: s} }

// add adds a document to the group of a key. Among equal documents the one with the smallest tie stays.
func (g *groups) add(key []byte, i uint32, f cluster.Facts, tie uint64) error {
	g.value = binary.BigEndian.AppendUint32(g.value[:0], i)
	g.value = binary.BigEndian.AppendUint32(g.value, f.Bytes)
	g.value = binary.BigEndian.AppendUint64(g.value, uint64(f.Time))
	g.value = binary.BigEndian.AppendUint16(g.value, f.Quality)
	g.value = binary.BigEndian.AppendUint64(g.value, tie)
	return g.sorter.Add(key, g.value)
}

// choose calls drop with each document that does not stay, and with the best one so far. That one may be dropped later
// for a better one. It holds one document of a group in memory. Among documents that are equal by the rule and their
// ties, the smallest number stays.
func (g *groups) choose(rule cluster.Rule, drop func(i, best uint32)) error {
	var group []byte
	var best uint32
	var bestTie uint64
	var facts cluster.Facts
	begun := false
	return g.sorter.Merge(func(key, value []byte) error {
		i := binary.BigEndian.Uint32(value)
		f := cluster.Facts{
			Bytes: binary.BigEndian.Uint32(value[4:]), Time: int64(binary.BigEndian.Uint64(value[8:])),
			Quality: binary.BigEndian.Uint16(value[16:]),
		}
		tie := binary.BigEndian.Uint64(value[18:])
		if !begun || !bytes.Equal(key, group) {
			group, best, facts, bestTie, begun = append(group[:0], key...), i, f, tie, true
			return nil
		}
		isBetter := rule.Before(f, facts) || tie < bestTie && !rule.Before(facts, f)
		if best != earlierDocument && (i == earlierDocument || isBetter) {
			i, best, facts, bestTie = best, i, f, tie
		}
		if i != earlierDocument {
			drop(i, best)
		}
		return nil
	})
}
