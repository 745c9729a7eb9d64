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

// writeContent writes sources as Datastreamer's records with only the source_* fields.
func writeContent(ctx context.Context, w io.Writer, f folder.Folder, m sourcedb.Manifest) error {
	lines := json.NewEncoder(w)
	// Keep & readable in URLs.
	lines.SetEscapeHTML(false)
	for s, err := range sourcedb.Sources(ctx, f, m) {
		if err != nil {
			return err
		}
		// A twin is another name of a source that has its own line.
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

// tableNote is the comment of the table in PostgreSQL by which later runs recognize it.
const tableNote = "gleaner sources"

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
	// The whole row, for fields without a column.
	{Name: "source", Type: "jsonb NOT NULL"},
}

func toPostgres(ctx context.Context, c *postgres.Config, f folder.Folder, m sourcedb.Manifest) error {
	return c.Replace(ctx, tableNote, fields, func(yield func([]any, error) bool) {
		for s, err := range sourcedb.Sources(ctx, f, m) {
			var row []any
			if err == nil {
				row, err = rowOf(s)
			}
			// After an error Replace rolls back, so the table stays as it was.
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
	// A nil any becomes null; "" would look like an id.
	var sameAs any
	if s.SameAs != nil {
		sameAs = s.SameAs.ID
	}
	return []any{
		s.ID, s.URL, s.Host, s.Domain, s.Title, s.Verdict, s.Class, s.Language, s.Publisher, s.Health.State,
		// In the order of fields, then the whole row as JSON.
		float64(s.Refresh.Rate), float64(s.Refresh.Interval), timeOf(s.Refresh.Next), timeOf(s.LastItem),
		timeOf(s.LastRefresh), timeOf(s.LastChanged), sameAs, json.RawMessage(data),
	}, nil
}

// timeOf parses a time of a row, or returns the zero time.
func timeOf(s string) time.Time {
	// Rows have valid times or "".
	t, _ := time.Parse(time.RFC3339, s)
	return t
}

// putsAtOnce is how many rows are sent to HBase concurrently, since each call waits for the server's log.
const putsAtOnce = 16

// toHBase writes a version of each source to a table and creates it if needed. A repeated run writes the same
// versions.
func toHBase(ctx context.Context, address string, f folder.Folder, m sourcedb.Manifest) (err error) {
	// The query of the URL is for tables of pages only.
	o, _, err := hbase.ParseURL(address)
	if err != nil {
		return err
	}
	db := &hbase.Database{Options: o}
	defer func() { err = errors.Join(err, db.Close()) }()
	// The generation's time makes a repeated run overwrite its own versions.
	return putSources(ctx, db, o.Table, sourcedb.All(ctx, f, m), timeOf(m.AsOf))
}

func putSources(
	ctx context.Context, db odm.Database, table string, all iter.Seq2[sourcedb.Known, error], asOf time.Time,
) error {
	// Twins too, so that a row is found by the key of any name of a feed.
	sources := sourcerow.New(db)
	// CreateTable keeps an existing table.
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
			// All puts have ended, so batch can be reused.
			batch = batch[:0]
		}
	}
	return putAll(ctx, sources, batch)
}

// putAll writes rows concurrently.
func putAll(ctx context.Context, c *sourcerow.Collection, batch []*odm.Row[string, sourcerow.Version]) error {
	// Each goroutine writes only its own element.
	failed := make([]error, len(batch))
	var calls sync.WaitGroup
	for i, row := range batch {
		calls.Go(func() { failed[i] = c.Put(ctx, row) })
	}
	calls.Wait()
	// The client has already retried until its RetryTimeout.
	return errors.Join(failed...)
}
