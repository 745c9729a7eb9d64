package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
)

func (n Numbered) edges(band int) string {
	return hidden(fmt.Sprintf("edges-%02d", band), n.Key, ".bin")
}

// took returns the name of the file with the seconds of a band.
func (n Numbered) took(band int) string {
	return hidden(fmt.Sprintf("took-%02d", band), n.Key, ".json")
}

// Band finds the documents with one band in common, and writes a pair of each of them and the first.
func (s *Steps) Band(ctx context.Context, key string, band int) (err error) {
	if band < 0 || band >= minhash.NumBands {
		return fmt.Errorf("corpora: no band %d", band)
	}
	var n Numbered
	if err := folder.ReadJSON(s.Out, hidden("exact", key, ".json"), maxJSON, &n); err != nil {
		return err
	}
	if ok, err := s.has(n.edges(band)); ok || err != nil {
		return err
	}
	began := time.Now()
	fates, err := s.fates(n)
	if err != nil {
		return err
	}
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	var hash, value []byte
	add := func(i uint32, sig *signature) error {
		if !sig.near {
			return nil
		}
		hash = binary.BigEndian.AppendUint64(hash[:0], sig.bands[band])
		value = binary.BigEndian.AppendUint32(value[:0], i)
		return sorter.Add(hash, value)
	}
	// Earlier corpora first, so that they lead their groups.
	err = s.eachEarlier(ctx, func(sig *signature) error { return add(earlierDocument, sig) })
	if err == nil {
		err = s.eachSignature(n, fates, func(i uint32, _ []byte, sig *signature) error { return add(i, sig) })
	}
	if err != nil {
		return err
	}
	w, err := createRecords(s.Out)
	if err != nil {
		return err
	}
	defer w.abort()
	// A star, not all pairs: a million documents with one band give a million pairs.
	var last, first []byte
	err = sorter.Merge(func(key, value []byte) error {
		if last == nil || !bytes.Equal(key, last) {
			last, first = append(last[:0], key...), append(first[:0], value...)
			return nil
		}
		if bytes.Equal(first, value) {
			return nil // both of earlier corpora
		}
		return w.add(first, value)
	})
	if err != nil {
		return err
	}
	if err := writeJSON(s.Out, n.took(band), time.Since(began).Seconds()); err != nil {
		return err
	}
	return w.end(n.edges(band))
}

// join makes clusters from the pairs of all bands, and decides which document of each stays.
func (s *Steps) join(n Numbered, fates []fate, like twins) (err error) {
	sets, err := cluster.New(n.Documents)
	if err != nil {
		return err
	}
	earlier := make([]bool, n.Documents)
	joined, alone := make([]bool, n.Documents), s.Options.onlyEarlier(ByNear)
	for band := range minhash.NumBands {
		err := eachRecord(s.Out, n.edges(band), func(key, value []byte) error {
			if len(key) != 4 || len(value) != 4 {
				return errRecords
			}
			a, b := binary.BigEndian.Uint32(key), binary.BigEndian.Uint32(value)
			if int64(b) >= n.Documents || a != earlierDocument && int64(a) >= n.Documents {
				return errRecords
			}
			if a == earlierDocument {
				earlier[b], joined[b] = true, true
				return nil
			}
			if alone {
				return nil
			}
			joined[b] = true
			joined[a] = true
			sets.Join(a, b)
			return nil
		})
		if err != nil {
			return err
		}
	}
	// If one document of a cluster is in an earlier corpus, the whole cluster is.
	for i := range earlier {
		if earlier[i] {
			earlier[sets.Root(uint32(i))] = true
		}
	}
	groups := newGroups(s.sorter())
	defer func() { err = errors.Join(err, groups.sorter.Close()) }()
	var key []byte
	err = s.eachSignature(n, fates, func(i uint32, _ []byte, sig *signature) error {
		switch {
		case !joined[i]:
			return nil
		case earlier[sets.Root(i)]:
			// Fates are only read after all are known, except for earlier ones.
			fates[i] = earlierNear
			like.set(i, earlierDocument)
			return nil
		}
		key = binary.BigEndian.AppendUint32(key[:0], sets.Root(i))
		return groups.add(key, i, sig.facts, 0)
	})
	if err != nil {
		return err
	}
	return groups.choose(s.Options.Keep, func(i, best uint32) {
		fates[i] = nearDuplicate
		like.set(i, best)
	})
}
