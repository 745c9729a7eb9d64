package ngram

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// A Posting is one language's weight of one n-gram.
type Posting struct {
	Key      Key
	Language uint8 // its number in Header.Languages
	Weight   int8
}

// An entry is an n-gram with its postings.
type entry struct {
	bucket   uint32
	id       uint16
	postings []Posting
}

// Encode returns the bytes of a table. It sorts postings, which may have one for each n-gram and language.
func Encode(h Header, postings []Posting) ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("ngram: %w", err)
	}
	entries, err := h.entries(postings)
	if err != nil {
		return nil, err
	}
	out := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...)
	out = append(out, head...)
	return append(out, h.encodeBuckets(entries)...), nil
}

// entries sorts postings into entries, by bucket. In a bucket, the n-grams of most languages come first.
func (h *Header) entries(postings []Posting) ([]entry, error) {
	script := func(p Posting) int { return h.Languages[p.Language].Script }
	slices.SortFunc(postings, func(a, b Posting) int {
		return cmp.Or(cmp.Compare(script(a), script(b)), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Language, b.Language))
	})
	var entries []entry
	for len(postings) > 0 {
		n := 1
		for n < len(postings) && postings[n].Key == postings[0].Key && script(postings[n]) == script(postings[0]) {
			if postings[n].Language == postings[n-1].Language {
				return nil, fmt.Errorf("ngram: key %#x twice in language %d", postings[n].Key, postings[n].Language)
			}
			n++
		}
		bucket, id := place(script(postings[0]), postings[0].Key)
		entries = append(entries, entry{bucket, id, postings[:n]})
		postings = postings[n:]
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(len(b.postings), len(a.postings)), cmp.Compare(a.id, b.id))
	})
	return entries, nil
}

// encodeBuckets returns offsets and buckets of sorted entries.
func (h *Header) encodeBuckets(entries []entry) []byte {
	body, byScript := make([]byte, 4<<bucketBits+4), h.byScript()
	for bucket := range uint32(1 << bucketBits) {
		binary.LittleEndian.PutUint32(body[4*bucket:], uint32(len(body)))
		n := 0
		for n < len(entries) && entries[n].bucket == bucket {
			n++
		}
		if n == 0 {
			continue
		}
		body = binary.LittleEndian.AppendUint16(body, uint16(n))
		var weights []byte
		for _, e := range entries[:n] {
			encoded, flag := encode(e.postings, byScript[h.Languages[e.postings[0].Language].Script])
			body = append(binary.LittleEndian.AppendUint16(body, e.id), byte(len(encoded)/2)|flag)
			weights = append(weights, encoded...)
		}
		body = append(body, weights...)
		entries = entries[n:]
	}
	binary.LittleEndian.PutUint32(body[4<<bucketBits:], uint32(len(body)))
	return body
}

// encode returns the weights of an n-gram as a row of its script's languages or as a list, whichever is shorter, with
// its flag.
func encode(postings []Posting, languages []int) (weights []byte, flag byte) {
	if size := rowSize(len(languages)); size <= 2*len(postings) {
		row := bytes.Repeat([]byte{rowBias}, size)
		for _, p := range postings {
			row[slices.Index(languages, int(p.Language))] += byte(p.Weight)
		}
		return row, rowFlag
	}
	for _, p := range postings {
		weights = append(weights, p.Language, byte(p.Weight))
	}
	return weights, 0
}
