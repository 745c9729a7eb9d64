package sources

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/sourcerow"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// writeContent writes sources as Datastreamer's records have them, a line each: the source_* fields alone.
func writeContent(ctx context.Context, w io.Writer, f folder.Folder, m sourcedb.Manifest) error {
	lines := json.NewEncoder(w)
	// URLs are read by people too: & stays & and does not become \u0026.
	lines.SetEscapeHTML(false)
	for s, err := range sourcedb.Sources(ctx, f, m) {
		if err != nil {
			return err
		}
		// A twin is another name of a source that has a line of its own.
		if s.SameAs != nil {
			continue
		}
		var r datastreamer.Content
		datastreamer.SetSource(&r, s)
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// tableNote is the comment of the table in PostgreSQL, by which a later run knows it.
const tableNote = "gleaner sources"

// fields are the columns of the table.
var fields = []postgres.Field{
	{Name: "source_id", Type: "text PRIMARY KEY"},
	{Name: "url", Type: "text NOT NULL"},
	{Name: "host", Type: "text"},
	{Name: "domain", Type: "text"},
	{Name: "title", Type: "text"},
	{Name: "verdict", Type: "text NOT NULL"},
	{Name: "class", Type: "text NOT NULL"},
	{Name: "language", Type: "text"},
	{Name: "publisher_type", Type: "text"},
	{Name: "health", Type: "text NOT NULL"},
	{Name: "rate", Type: "double precision NOT NULL"},
	{Name: "interval_hours", Type: "double precision NOT NULL"},
	{Name: "next", Type: "timestamptz"},
	{Name: "last_item", Type: "timestamptz"},
	{Name: "last_refresh", Type: "timestamptz"},
	{Name: "last_changed", Type: "timestamptz"},
	{Name: "same_as", Type: "text"},
	// All of the row, for what no column has.
	{Name: "source", Type: "jsonb NOT NULL"},
}

// toPostgres replaces the table in one transaction.
func toPostgres(ctx context.Context, c *postgres.Config, f folder.Folder, m sourcedb.Manifest) error {
	return c.Replace(ctx, tableNote, fields, func(yield func([]any, error) bool) {
		for s, err := range sourcedb.Sources(ctx, f, m) {
			var row []any
			if err == nil {
				row, err = rowOf(s)
			}
			// An error ends the stream: Replace rolls its transaction back, and the table stays as it was.
			if !yield(row, err) || err != nil {
				return
			}
		}
	})
}

func rowOf(s schemas.Source) ([]any, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	// A nil any becomes null; an empty text would be the id of a source that is not there.
	var sameAs any // null
	if s.SameAs != nil {
		sameAs = s.SameAs.ID
	}
	return []any{
		s.ID, s.URL, s.Host, s.Domain, s.Title, s.Verdict, s.Class, s.Language, s.Publisher, s.Health.State,
		// In the order of fields, with the whole row as JSON after the columns that are worth an index.
		float64(s.Refresh.Rate), float64(s.Refresh.Interval), timeOf(s.Refresh.Next), timeOf(s.LastItem),
		timeOf(s.LastRefresh), timeOf(s.LastChanged), sameAs, json.RawMessage(data),
	}, nil
}

// timeOf reads a time of a row; the zero time for none.
func timeOf(s string) time.Time {
	// Times of rows are our own writing, so what does not parse is "", which is not time.
	t, _ := time.Parse(time.RFC3339, s)
	return t
}

// putsAtOnce is how many rows are on their way to HBase at a time: a call waits for the server's log each time.
const putsAtOnce = 16

// toHBase writes a version of each source to a table, which is made when it is not there. A run that is repeated
// writes the same versions.
func toHBase(ctx context.Context, address string, f folder.Folder, m sourcedb.Manifest) (err error) {
	// What follows a question mark is for tables of pages, and means nothing here.
	o, _, err := hbase.ParseURL(address)
	if err != nil {
		return err
	}
	db := &hbase.Database{Options: o}
	defer func() { err = errors.Join(err, db.Close()) }()
	// The version is stamped with the generation's moment, and not with the clock: so a repeat writes over itself.
	return putSources(ctx, db, o.Table, sourcedb.All(ctx, f, m), timeOf(m.AsOf))
}

func putSources(
	ctx context.Context, db odm.Database, table string, all iter.Seq2[sourcedb.Known, error], asOf time.Time,
) error {
	// All sources, twins as well: a row is found by the feed's key, whichever name of it somebody has.
	sources := sourcerow.New(db)
	// A table that is there stays as it is.
	if err := sources.CreateTable(ctx, table); err != nil {
		return err
	}
	var batch []*odm.Row[string, sourcerow.Version]
	for known, err := range all {
		if err != nil {
			return err
		}
		row, err := sourcerow.Of(sources, known.Key, known.Source, asOf)
		if err != nil {
			return err
		}
		if batch = append(batch, row); len(batch) == putsAtOnce {
			if err := putAll(ctx, sources, batch); err != nil {
				return err
			}
			// All puts of the batch have ended, so its memory may be used again.
			batch = batch[:0]
		}
	}
	return putAll(ctx, sources, batch)
}

// putAll writes rows side by side.
func putAll(ctx context.Context, c *sourcerow.Collection, batch []*odm.Row[string, sourcerow.Version]) error {
	// Each goroutine has its own place, so no lock is needed; putsAtOnce bounds both.
	failed := make([]error, len(batch))
	var calls sync.WaitGroup
	for i, row := range batch {
		calls.Go(func() { failed[i] = c.Put(ctx, row) })
	}
	calls.Wait()
	// What has failed is not tried again here: the client does that until its RetryTimeout.
	return errors.Join(failed...)
}
