package contentdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/meaningindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// meaningDir is the folder of the index of meanings, in that of the index.
const meaningDir = "meaning"

// ErrNoMeaning means that a collection cannot be searched by meaning: see Options.Meaning.
var ErrNoMeaning = errors.New("contentdb: no model of meanings was given")

// Errors of questions.
var (
	ErrNoWord    = errors.New("contentdb: the question has no word")
	ErrNoCapture = errors.New("contentdb: the collection does not have the capture that pages should be like")
	ErrNoText    = errors.New("contentdb: the capture that pages should be like has no text")
)

// maxAbout bounds the answers to a search by meaning, and each of its two rankings. The passages after them have little
// to do with the question. It is the same for all pages of an answer, so that these do not overlap.
const maxAbout = 1000

// meanings are the index of meanings, read when it is first asked.
type meanings struct {
	mu sync.Mutex
	x  *meaningindex.Index
}

// openMeaning reads the index of meanings, and brings it up to date.
func (db *DB) openMeaning(ctx context.Context) (*meaningindex.Index, error) {
	if db.o.Files != nil {
		return nil, fmt.Errorf("%w: an earlier snapshot has no index of meanings", ErrNotThere)
	}
	if db.o.Meaning == nil {
		return nil, ErrNoMeaning
	}
	db.meanings.mu.Lock() // held while reading, so that only one of several callers reads
	defer db.meanings.mu.Unlock()
	if db.meanings.x != nil {
		return db.meanings.x, nil
	}
	m, err := db.o.Meaning()
	if err != nil {
		return nil, err
	}
	s := meaningindex.Source{Shards: db.toIndex().DocumentShards(), Documents: db.reader(meaningindex.Columns), Model: m}
	// Without a folder, the index is only in memory.
	if dir, canWrite, err := index.Dir(db.part.Folder); err == nil {
		s.Dir, s.CanWrite = filepath.Join(dir, meaningDir), canWrite
	}
	x, err := meaningindex.Open(ctx, s)
	if err = errors.Join(err, db.dropOlder(s.Dir, s.CanWrite)); err != nil {
		return nil, fmt.Errorf("contentdb: meanings: %w", err)
	}
	db.meanings.x = x
	return x, nil
}

// UpdateMeaning makes the index of meanings of the collection in f, or brings it up to date, as the first search would
// do. It returns the number of passages.
func UpdateMeaning(ctx context.Context, f folder.Folder, model func() (*meaning.Model, error)) (int, error) {
	db, err := Open(ctx, f, Options{NoIndex: true, Meaning: model})
	if err != nil {
		return 0, err
	}
	x, err := db.openMeaning(ctx)
	if err != nil {
		return 0, err
	}
	return x.Len(), nil
}

// KeepMeaning brings the index of meanings up to date, if there is one: somebody has asked the collection before.
func (db *DB) KeepMeaning(ctx context.Context) error {
	dir, canWrite, err := index.Dir(db.part.Folder)
	if err != nil || !canWrite || db.o.Meaning == nil || !meaningindex.Exists(filepath.Join(dir, meaningDir)) {
		return err
	}
	_, err = db.openMeaning(ctx)
	return err
}

// AboutRequest asks for captures by meaning.
type AboutRequest struct {
	Text string // the question, in any words and language of the model
	// Like is the URL and time of a capture, to find pages like it instead of answers to a question.
	Like *schemas.Document
	// Query is a filter. Its At, Order and After must be zero. Its Limit is the number of rows, 20 if it is 0.
	Query   query.Query
	Offset  int      // rows to leave out at the beginning
	Columns []string // that rows have at least: see DB.Find
	Excerpt int      // letters of the passage to show; 0 for the whole passage
	// NoWords leaves out the ranking by words.
	NoWords bool
}

// AboutAnswer is the answer to an AboutRequest.
type AboutAnswer struct {
	Rows []AboutRow
	More bool // there are further rows
	// Unknown are words of the question that the model does not know, the first twenty. Known is the number of the
	// others. If it knows none, captures are found by words alone.
	Unknown []string
	Known   int
}

// Unsure says for people what unknown words mean for the answer, or "" if it knows all.
func (a *AboutAnswer) Unsure() string {
	switch words := strings.Join(a.Unknown, ", "); {
	case words == "":
		return ""
	case a.Known == 0:
		return "The model of meanings knows no word of the question (" + words + "), so nothing is ranked by meaning. " +
			"What is found has these words."
	default:
		return "The model of meanings does not know: " + words + ". The other words decide what is near."
	}
}

// AboutRow is a capture that was found by its meaning, by words, or by both.
type AboutRow struct {
	Row
	ByWords bool // it has all words of the question
	// Alike is how near the passage is: the cosine of the angle between its vector and that of the question. 0 for a
	// capture that was found by words alone.
	Alike float64
	// From and To are where the passage is in the capture's text, in bytes.
	From, To int
}

// Why says for people how the capture was found.
func (r *AboutRow) Why() string {
	switch {
	case r.ByWords && r.Alike != 0:
		return "meaning and words"
	case r.ByWords:
		return "words"
	}
	return "meaning"
}

// About finds captures by meaning. The list is a fusion of two: the nearest passages, and the captures that have all
// words of the question. Captures that may not be read are not found.
func (db *DB) About(ctx context.Context, r AboutRequest) (*AboutAnswer, error) {
	r.Query.Limit = cmp.Or(r.Query.Limit, 20)
	s, err := db.newAbout(ctx, r)
	if err != nil {
		return nil, err
	}
	list, err := s.find(ctx)
	if err != nil {
		return nil, err
	}
	list = list[min(r.Offset, len(list)):]
	a := &AboutAnswer{More: len(list) > r.Query.Limit, Unknown: s.unknown, Known: s.known}
	a.Rows, err = s.rows(ctx, list[:min(r.Query.Limit, len(list))])
	return a, err
}

const (
	// fusion is the constant of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009).
	fusion = 60
	// minAlike is the least cosine of an answer. Below it, passages have nothing in common with the question.
	minAlike = .1
)

// about is a search by meaning.
type about struct {
	db      *DB
	x       *meaningindex.Index
	q       query.Query
	r       *AboutRequest
	encoder *meaning.Encoder
	vector  []float32
	unknown []string
	known   int
}

// joined is a capture of both rankings.
type joined struct {
	shard   string
	row     int64
	hit     *meaningindex.Hit // nil if it was found by words alone
	byWords bool
	score   float64
}

// find returns the captures, best first.
func (s *about) find(ctx context.Context) ([]*joined, error) {
	own, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	ask := meaningindex.Query{Vector: s.vector, AllVersions: s.q.AllVersions, Limit: maxAbout}
	if err := s.filter(ctx, &ask); err != nil {
		return nil, err
	}
	var list []*joined
	known := map[string]*joined{}
	for i, h := range s.x.Find(ask) {
		if h.Score < minAlike {
			break
		}
		j := &joined{shard: h.Shard, row: h.Row, hit: &h, score: 1 / float64(fusion+i+1)}
		key := s.key(h.Shard, h.Row, "")
		known[key] = j
		if own == "" || key != own {
			list = append(list, j)
		}
	}
	hits, err := s.byWords(ctx)
	if err != nil {
		return nil, err
	}
	for i, h := range hits {
		key := s.key(h.Shard, h.Row, h.SURT)
		j := known[key]
		if j == nil {
			j = &joined{shard: h.Shard, row: h.Row}
			known[key] = j
			list = append(list, j)
		}
		j.byWords = true
		j.score += 1 / float64(fusion+i+1)
	}
	slices.SortStableFunc(list, func(a, b *joined) int { return cmp.Compare(b.score, a.score) })
	return list[:min(len(list), maxAbout)], nil
}

// look finds the vector of the question. For pages like another it returns the key of that.
func (s *about) look(ctx context.Context) (own string, err error) {
	if s.r.Like == nil {
		s.vector = slices.Clone(s.encoder.Vector(s.r.Text))
		// Letters of unknown words have vectors too, which say nothing.
		if s.unknown, s.known = s.encoder.Unknown(s.r.Text); s.known == 0 {
			clear(s.vector)
		}
		return "", nil
	}
	x := s.db.asked()
	if x == nil {
		return "", ErrNoIndex
	}
	q := query.Query{Where: s.db.limits.narrow(captureOf(s.r.Like)), AllVersions: true, Limit: 1}
	if s.db.limits != nil {
		q.Where = both(q.Where, s.db.limits.whole)
	}
	for h, err := range x.Find(ctx, q, s.db.verify(q)) {
		if err != nil {
			return "", err
		}
		if s.vector = s.x.Like(h.Shard, h.Row); s.vector == nil {
			return "", ErrNoText
		}
		return s.key(h.Shard, h.Row, h.SURT), nil
	}
	return "", ErrNoCapture
}

// key identifies a page, or a capture if all versions are wanted.
func (s *about) key(shard string, row int64, surt string) string {
	if page, has := s.x.Page(shard, row); has && !s.q.AllVersions {
		return fmt.Sprint(page)
	}
	if surt != "" && !s.q.AllVersions {
		return "surt " + surt
	}
	return fmt.Sprint(shard, " ", row)
}

// filter restricts a search to the captures of the query.
func (s *about) filter(ctx context.Context, ask *meaningindex.Query) error {
	if s.q.Where == nil {
		return nil
	}
	_, rest := index.Split(s.q.Where)
	if x := s.db.asked(); x != nil && rest == nil {
		rows := map[string][]int64{}
		var err error
		for r, failed := range x.Rows(ctx, s.q.Where) {
			if err = failed; err == nil {
				rows[r.Shard] = append(rows[r.Shard], r.Rows...)
			}
		}
		if err == nil {
			ask.Rows = rows
			return nil
		}
		if !s.db.lose(err) {
			return err
		}
	}
	places := map[uint64]bool{}
	for d, err := range s.db.Each(ctx, s.q.Where, []string{"filename", "offset", "sequence"}) {
		if err != nil {
			return err
		}
		places[imageindex.Place(d)] = true
	}
	ask.May = func(place uint64) bool { return places[place] }
	return nil
}

// byWords returns the captures that have all words of the question, the most relevant first.
func (s *about) byWords(ctx context.Context) (hits []index.Hit, err error) {
	x := s.db.asked()
	if s.r.NoWords || s.r.Text == "" || x == nil {
		return nil, nil
	}
	text, err := query.NewText(s.r.Text, false)
	if err != nil {
		return nil, nil //nolint:nilerr // the question has no words, or too many for a search by words
	}
	q := query.Query{
		Where: both(s.q.Where, text), Order: query.Relevance, Limit: maxAbout, AllVersions: s.q.AllVersions,
	}
	for h, err := range x.Find(ctx, q, s.db.verify(q)) {
		if err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, nil
}
