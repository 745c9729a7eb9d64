package index

import (
	"context"
	"database/sql"
	"math"
	"strconv"
	"strings"
	"sync"
)

// lengthBits is how many texts a chunk of lengths has, as a power of two.
const lengthBits = 14

// lengthScores keeps how well texts fit by their lengths, a byte each, for all sessions of a volume: a frequent word
// asks for those of 50,000 texts, which takes a tenth of a second when they are read one by one.
type lengthScores struct {
	mu         sync.Mutex
	limit      int // chunks
	generation int64
	kept       map[uint32][]uint8 // by chunk: the score of each text in hundredths, 0 of what is none
	asked      map[uint32]int     // texts that were read one by one, since their chunk was not there
}

// scoreLengths gives candidates a score by how long their texts are: between 0 and 1, the more the shorter.
//
// That is BM25 with what the index keeps. How often a term stands in a text is not in it (detail=none), so that FTS5's
// own bm25() is 0 for every text. All texts here have all terms, so their rarity tells nothing either.
func (s *snapshot) scoreLengths(ctx context.Context, list []candidate) error {
	wanted := map[uint32]int{} // texts by chunk
	for _, c := range list {
		wanted[c.text>>lengthBits]++
	}
	chunks := make(map[uint32][]uint8, len(wanted))
	for chunk, n := range wanted {
		scores, worth := s.lengths.get(s.generation, chunk, n)
		if scores == nil && worth {
			var err error
			if scores, err = s.readLengths(ctx, chunk); err != nil {
				return err
			}
		}
		if scores != nil {
			chunks[chunk] = scores
		}
	}
	left := map[uint32]uint8{}
	for i := range list {
		c := &list[i]
		if scores := chunks[c.text>>lengthBits]; scores != nil {
			c.score = float64(scores[c.text&(1<<lengthBits-1)]) / 100
		} else {
			left[c.text] = 0
		}
	}
	if len(left) == 0 {
		return nil
	}
	texts := make([]uint32, 0, len(left))
	for text := range left {
		texts = append(texts, text)
	}
	err := each(ctx, s.text, func(rows *sql.Rows) error {
		var text uint32
		var size []byte
		err := rows.Scan(&text, &size)
		left[text] = lengthScore(varint(size))
		return err
	}, "select z.id, z.sz from json_each(?) j join doc_docsize z on z.id = j.value", jsonIDs(texts))
	for i := range list {
		if score, ok := left[list[i].text]; ok {
			list[i].score = float64(score) / 100
		}
	}
	return err
}

// lengthScore is the score of a text with n different terms, in hundredths.
func lengthScore(n uint64) uint8 {
	const (
		average = 250 // different terms of a page, about: the index has each once
		short   = 30  // a text with less is a feed's title or the page of an error: it is taken for an average one
		k, b    = 1.2, .75
	)
	if n < short {
		n = average
	}
	// Rounded, since a text that is three words longer fits no worse: of such the newest comes first.
	return uint8(math.Round(100 / (1 + k*(1-b+b*float64(n)/average))))
}

// readLengths reads the scores of a chunk of texts, and keeps them.
func (s *snapshot) readLengths(ctx context.Context, chunk uint32) ([]uint8, error) {
	from := int64(chunk) << lengthBits
	var list sql.NullString
	// In one text, as in listed: that takes a fraction of the time that a row for each does.
	err := s.text.QueryRowContext(ctx,
		"select group_concat(id || ' ' || hex(sz)) from doc_docsize where id >= ? and id < ?",
		from, from+1<<lengthBits).Scan(&list)
	if err != nil {
		return nil, explain(err)
	}
	scores := make([]uint8, 1<<lengthBits)
	for pair := range strings.SplitSeq(list.String, ",") {
		id, size, _ := strings.Cut(pair, " ")
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n < from || n >= from+1<<lengthBits {
			continue // of no text at all the list is one empty pair
		}
		scores[n-from] = lengthScore(varintOfHex(size))
	}
	s.lengths.keep(s.generation, chunk, scores)
	return scores, nil
}

// varintOfHex reads the varint that a text in hexadecimal digits begins with.
func varintOfHex(digits string) (n uint64) {
	var b [8]byte
	size := 0
	for ; size < len(b) && 2*size+2 <= len(digits); size++ {
		v, err := strconv.ParseUint(digits[2*size:2*size+2], 16, 8)
		if err != nil {
			break // SQLite's hex writes nothing but digits
		}
		b[size] = byte(v)
	}
	return varint(b[:size])
}

// varint reads SQLite's: seven bits a byte, the most significant first, the last byte without the eighth bit. Those of
// nine bytes are of numbers that no text has terms.
func varint(b []byte) (n uint64) {
	for _, c := range b[:min(len(b), 8)] {
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

// get gives the scores of a chunk if they are kept, and otherwise notes that n of them are wanted and tells whether the
// chunk is worth reading: once as many were read one by one as takes the same time, so that a single question of a
// process does not read them all.
func (k *lengthScores) get(generation int64, chunk uint32, n int) (scores []uint8, worth bool) {
	const perRead = 4 // texts of a chunk that are read in the time of one by itself
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.at(generation) {
		return nil, n*perRead >= 1<<lengthBits
	}
	if scores := k.kept[chunk]; scores != nil {
		return scores, false
	}
	k.asked[chunk] += n
	return nil, k.asked[chunk]*perRead >= 1<<lengthBits
}

// at makes sure that what is kept is of a generation; false when it is of a newer one: then the question began before a
// writer ended.
func (k *lengthScores) at(generation int64) bool {
	if generation > k.generation || k.kept == nil {
		k.generation, k.kept, k.asked = generation, map[uint32][]uint8{}, map[uint32]int{}
	}
	return generation == k.generation
}

// keep keeps the scores of a chunk. Those that must go for it are any.
func (k *lengthScores) keep(generation int64, chunk uint32, scores []uint8) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.at(generation) || k.limit == 0 {
		return
	}
	for old := range k.kept {
		if len(k.kept) < k.limit {
			break
		}
		delete(k.kept, old)
	}
	k.kept[chunk] = scores
	delete(k.asked, chunk)
}
