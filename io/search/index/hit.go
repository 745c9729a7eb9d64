package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Hit is a capture that a query found: what the index has of it, and where its document is.
type Hit struct {
	URL, SURT, Host, Domain       string
	Timestamp                     time.Time // UTC, whole microseconds; zero when it is not known
	Status                        int
	MIMEDetected, Language, Title string
	PageType, SourceID            string
	Filename                      string
	Offset, Length                int64
	Sequence                      int
	Shard                         string  // name of the shard that has the document
	Row                           int64   // its number there, from 0
	Score                         float64 // of Relevance: the greater, the better; 0 where nothing was searched
	id, page, text                uint32
	ts                            int64
}

// Key is what hits are ordered by.
func (h *Hit) Key() query.Key {
	return query.Key{
		SURT: h.SURT, Timestamp: h.Timestamp, Filename: h.Filename, Offset: h.Offset, Sequence: h.Sequence, Length: h.Length,
	}
}

// Document is the hit as a document that has nothing else.
func (h *Hit) Document() *schemas.Document {
	d := &schemas.Document{
		URL: h.URL, SURT: h.SURT, Host: h.Host, Domain: h.Domain, Status: h.Status, MIMEDetected: h.MIMEDetected,
		Language: h.Language, Title: h.Title, PageType: h.PageType, SourceID: h.SourceID, Filename: h.Filename,
		Offset: h.Offset, Length: h.Length, Sequence: h.Sequence,
	}
	if !h.Timestamp.IsZero() {
		d.Timestamp = h.Timestamp.Format(time.RFC3339Nano)
	}
	return d
}

// labels are texts by their numbers, as far as they were asked for. Numbers are never given to another text.
type labels struct {
	mu    sync.Mutex
	texts map[int64]string
}

// maxLabels bounds them: some 10 MB.
const maxLabels = 100_000

// of returns a text, which ask gives when it is not known yet.
func (l *labels) of(id int64, ask func() (string, error)) (string, error) {
	l.mu.Lock()
	text, ok := l.texts[id]
	l.mu.Unlock()
	if ok {
		return text, nil
	}
	text, err := ask()
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// All go when there is no room: names come again in every question, and are read once more.
	if l.texts == nil || len(l.texts) >= maxLabels {
		l.texts = map[int64]string{}
	}
	// Two may have asked at once: the text is the same, since numbers are never given to another.
	l.texts[id] = text
	return text, nil
}

// named is a name with its number.
type named struct {
	id   int64
	text string
}

// nameLists are all names of a kind, as far as they were asked for: a host and all below it is a test of every host,
// and to read 20,000 of them takes ten times as long as to test them.
type nameLists struct {
	mu         sync.Mutex
	generation int64 // that they are of
	lists      map[kind][]named
}

// get gives the names of a kind, if they are kept; else nil.
func (l *nameLists) get(generation int64, k kind) []named {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Of another moment of the database, which may have names that this snapshot does not see.
	if generation != l.generation {
		return nil
	}
	return l.lists[k]
}

// keep keeps the names of a kind, unless they are more than maxLabels.
func (l *nameLists) keep(generation int64, k kind, list []named) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A reader of an older moment must not put back what it saw.
	if generation < l.generation || len(list) > maxLabels {
		return
	}
	if generation > l.generation || l.lists == nil {
		l.generation, l.lists = generation, map[kind][]named{}
	}
	l.lists[k] = list
}

// name is a name by its number.
func (s *snapshot) name(ctx context.Context, id int64) (string, error) {
	return s.names.of(id, func() (text string, err error) {
		err = s.index.QueryRowContext(ctx, "select value from name where id = ?", id).Scan(&text)
		return text, explain(err)
	})
}

// hitQuery asks for versions by a list of numbers.
const hitQuery = `select v.id, v.page, v.ts, coalesce(v.url, p.url), p.surt, coalesce(v.title, p.title), v.mime,
	v.language, v.status, v.host, v.domain, v.page_type, v.source, v.filename, v.offset, v.length, v.sequence, v.text
	from json_each(?) j join version v on v.id = j.value join page p on p.id = v.page`

// hits are the versions of these numbers, in no order; a number of which there is none is left out. Of one batch, which
// is small: what looks for a context that ends would take a third of the time.
func (s *snapshot) hits(ctx context.Context, ids []uint32) ([]Hit, error) {
	ctx = context.WithoutCancel(ctx)
	// Kept by the snapshot's volume: asked once a generation.
	shards, err := s.shards(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids) // neighbours are read from the same page of the file
	list := make([]Hit, 0, len(ids))
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var h Hit
		// In the order of the columns of hitQuery.
		var l [8]int64
		if err := rows.Scan(&h.id, &h.page, &h.ts, &h.URL, &h.SURT, &h.Title, &l[0], &l[1], &l[2], &l[3], &l[4], &l[5],
			&l[6], &l[7], &h.Offset, &h.Length, &h.Sequence, &h.text); err != nil {
			return err
		}
		// Which shard a capture is in follows from its number.
		i, found := slices.BinarySearchFunc(shards, h.id, shardRange.compare)
		if !found {
			return fmt.Errorf("%w: a version of no shard", ErrDamaged)
		}
		// Versions of a shard are numbered in the order of its rows.
		h.Shard, h.Row = shards[i].name, int64(h.id-shards[i].first)
		h.Timestamp = moment(h.ts)
		err := s.label(ctx, &h, l)
		if h.URL == "" {
			h.URL = urlOf(h.Host, h.SURT)
		}
		list = append(list, h)
		return err
	}, hitQuery, jsonIDs(ids))
	return list, err
}

// label writes the names of a hit.
func (s *snapshot) label(ctx context.Context, h *Hit, ids [8]int64) error {
	var status string
	for i, to := range []*string{
		&h.MIMEDetected, &h.Language, &status, &h.Host, &h.Domain, &h.PageType, &h.SourceID, &h.Filename,
	} {
		// Mostly from memory: see labels.
		text, err := s.name(ctx, ids[i])
		if err != nil {
			return err
		}
		*to = text
	}
	// Names are text; a number that does not read as one was not written by us.
	if status != "" {
		n, err := strconv.Atoi(status)
		if err != nil {
			return ErrDamaged
		}
		h.Status = n
	}
	return nil
}

// jsonIDs is jsonNumbers of numbers of versions.
func jsonIDs(ids []uint32) string {
	b := make([]byte, 0, 8*len(ids)+2)
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(id), 10)
	}
	return string(append(b, ']'))
}
