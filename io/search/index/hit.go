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

// Hit is a capture that a query found: its values in the index, and the location of its document.
type Hit struct {
	URL, SURT, Host, Domain       string
	Timestamp                     time.Time // UTC, whole microseconds; zero if unknown
	Status                        int
	MIMEDetected, Language, Title string
	PageType, SourceID            string
	Filename                      string
	RecordType                    schemas.RecordType
	Offset, Length                int64
	Sequence                      int
	Shard                         string  // name of the shard with the document
	Row                           int64   // row in the shard, from 0
	Score                         float64 // for Relevance: greater is better; 0 without a search
	id, page, text                uint32
	ts                            int64
}

// Key returns the sort key.
func (h *Hit) Key() query.Key {
	return query.Key{
		SURT: h.SURT, Timestamp: h.Timestamp, Filename: h.Filename, Offset: h.Offset, Sequence: h.Sequence, Length: h.Length,
	}
}

// Document returns a document with only the hit's values.
func (h *Hit) Document() *schemas.Document {
	d := &schemas.Document{
		URL: h.URL, SURT: h.SURT, Host: h.Host, Domain: h.Domain, Status: h.Status, MIMEDetected: h.MIMEDetected,
		Language: h.Language, Title: h.Title, PageType: h.PageType, SourceID: h.SourceID, Filename: h.Filename,
		RecordType: h.RecordType, Offset: h.Offset, Length: h.Length, Sequence: h.Sequence,
	}
	if !h.Timestamp.IsZero() {
		d.Timestamp = h.Timestamp.Format(time.RFC3339Nano)
	}
	return d
}

// labels caches texts by number. A number is never reused for another text.
type labels struct {
	mu    sync.Mutex
	texts map[int64]string
}

// maxLabels limits the cache to some 10 MB.
const maxLabels = 100_000

// of returns a text from the cache or from ask.
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
	// All are dropped without room: names repeat in every query and are soon read again.
	if l.texts == nil || len(l.texts) >= maxLabels {
		l.texts = map[int64]string{}
	}
	// Another caller may have stored it: the text is the same.
	l.texts[id] = text
	return text, nil
}

type named struct {
	id   int64
	text string
}

// nameLists caches all names of a kind. A host with its subdomains is a test of every host, and reading 20,000 of them
// takes ten times as long as testing them.
type nameLists struct {
	mu         sync.Mutex
	generation int64 // of the lists
	lists      map[kind][]named
}

// get returns the names of a kind if they are cached, otherwise nil.
func (l *nameLists) get(generation int64, k kind) []named {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Another generation may have names that this snapshot does not see.
	if generation != l.generation {
		return nil
	}
	return l.lists[k]
}

// keep caches the names of a kind, unless there are more than maxLabels.
func (l *nameLists) keep(generation int64, k kind, list []named) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A reader of an older generation must not replace newer lists.
	if generation < l.generation || len(list) > maxLabels {
		return
	}
	if generation > l.generation || l.lists == nil {
		l.generation, l.lists = generation, map[kind][]named{}
	}
	l.lists[k] = list
}

// name returns a name by its number.
func (s *snapshot) name(ctx context.Context, id int64) (string, error) {
	return s.names.of(id, func() (text string, err error) {
		err = s.index.QueryRowContext(ctx, "select value from name where id = ?", id).Scan(&text)
		return text, explain(err)
	})
}

// hitQuery selects versions by a list of numbers.
const hitQuery = `select v.id, v.page, v.ts, coalesce(v.url, p.url), p.surt, coalesce(v.title, p.title), v.mime,
	v.language, v.status, v.host, v.domain, v.page_type, v.source, v.filename, v.record_type, v.offset, v.length, v.sequence,
	v.text from json_each(?) j join version v on v.id = j.value join page p on p.id = v.page`

// hits returns the versions with these numbers, in any order, and omits missing ones. Batches are small, so it does not
// watch the context, which would take a third of the time.
func (s *snapshot) hits(ctx context.Context, ids []uint32) ([]Hit, error) {
	ctx = context.WithoutCancel(ctx)
	// Cached by the volume for each generation.
	shards, err := s.shards(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids) // neighbours are on the same page of the file
	list := make([]Hit, 0, len(ids))
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var h Hit
		// In the order of the columns of hitQuery.
		var l [9]int64
		if err := rows.Scan(&h.id, &h.page, &h.ts, &h.URL, &h.SURT, &h.Title, &l[0], &l[1], &l[2], &l[3], &l[4], &l[5],
			&l[6], &l[7], &l[8], &h.Offset, &h.Length, &h.Sequence, &h.text); err != nil {
			return err
		}
		// The number determines the shard.
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

// label sets the names of a hit.
func (s *snapshot) label(ctx context.Context, h *Hit, ids [9]int64) error {
	var status, recordType string
	for i, to := range []*string{
		&h.MIMEDetected, &h.Language, &status, &h.Host, &h.Domain, &h.PageType, &h.SourceID, &h.Filename,
		&recordType,
	} {
		// Mostly from memory: see labels.
		text, err := s.name(ctx, ids[i])
		if err != nil {
			return err
		}
		*to = text
	}
	h.RecordType = schemas.RecordType(recordType)
	// A status that is not a number is damage.
	if status != "" {
		n, err := strconv.Atoi(status)
		if err != nil {
			return ErrDamaged
		}
		h.Status = n
	}
	return nil
}

// jsonIDs is jsonNumbers for numbers of versions.
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
