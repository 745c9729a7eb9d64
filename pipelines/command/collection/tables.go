package collection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// tableOf is an HBase table to which documents of a collection were written.
type tableOf struct {
	o      hbase.Options
	layout webtable.Layout
}

func (t tableOf) name() string { return "hbase://" + strings.Join(t.o.Masters, ",") + "/" + t.o.Table }

// tables returns the HBase tables in the manifest, or those of --hbase, since the manifest's servers may have moved.
func tables(m schemas.Manifest, named []string) (list []tableOf, err error) {
	for _, url := range named {
		o, more, err := hbase.ParseURL(url)
		if err != nil {
			return nil, cli.Usagef("--hbase: %v", err)
		}
		layout, err := webtable.ParseLayout(more)
		if err != nil {
			return nil, cli.Usagef("--hbase: %v", err)
		}
		list = append(list, tableOf{o, layout})
	}
	if len(named) > 0 {
		return list, nil
	}
	for _, options := range madeWith(m) {
		// Runs may share a table, which is scanned once.
		if t, is := noted(options[schemas.SinkHBase]); is &&
			!slices.ContainsFunc(list, func(o tableOf) bool { return o.name() == t.name() }) {
			list = append(list, t)
		}
	}
	return list, nil
}

// madeWith returns the options of the last run and those of units made with others.
func madeWith(m schemas.Manifest) []map[string]any {
	list := []map[string]any{m.Options}
	for _, u := range m.Units {
		if u.MadeWith != nil {
			list = append(list, u.MadeWith)
		}
	}
	return list
}

// noted reads the sink's note of its table in a manifest: see Lasting of io/sink/hbase.
func noted(v any) (t tableOf, is bool) {
	m, _ := v.(map[string]any) // unexpected values are ignored
	t.o.Table, is = m["table"].(string)
	masters, _ := m["masters"].([]any)
	for _, master := range masters {
		address, _ := master.(string)
		t.o.Masters = append(t.o.Masters, address)
	}
	t.layout.ByURL = m["row_key"] == "url"
	return t, is && len(masters) > 0
}

// elsewhere returns the other kinds of servers that got documents. Nothing is removed there.
func elsewhere(m schemas.Manifest) (names []string) {
	for _, options := range madeWith(m) {
		for _, sink := range []string{schemas.SinkElastic, schemas.SinkKafka, schemas.SinkPostgres} {
			if options[sink] != nil && !slices.Contains(names, sink) {
				names = append(names, sink)
			}
		}
	}
	return names
}

// askTime limits the retries of an HBase server that does not answer.
const askTime = time.Minute

// removeRows removes the rows of pages taken down from a table, and makes the servers compact it.
func (t tableOf) removeRows(ctx context.Context, what []string, list takedown.List) (keys []string, err error) {
	// Shorter than for a run, because a user is waiting.
	t.o.RetryTimeout = askTime
	s, err := hbase.Open(t.o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name(), err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var spans []rowstore.Span
	// Keys begin with the host, so the spans are a part of the table. Keys that are URLs have no spans, so all is
	// scanned.
	for _, w := range what {
		spans = append(spans, t.layout.SpansOf(w, !takedown.IsURL(w))...)
	}
	if keys, err = webtable.Remove(ctx, s, spans, list.Has); err != nil {
		return keys, fmt.Errorf("%s: %w", t.name(), err)
	}
	// HBase only marks deleted rows: their data stays until compaction. This also runs if nothing was found, since an
	// earlier attempt may have been killed here.
	if err := s.Purge(ctx, toPurge(spans)); err != nil {
		return keys, fmt.Errorf("%s: %w", t.name(), err)
	}
	return keys, nil
}

// toPurge returns the keys whose regions are compacted. Without spans it is the whole table, since an earlier attempt
// may have deleted rows in any region.
func toPurge(spans []rowstore.Span) []rowstore.Span {
	if len(spans) == 0 {
		return []rowstore.Span{{}} // from the first row to the last
	}
	return spans
}

// takeFromTables removes the pages of these URLs and hosts, or of the whole list, from the collection's HBase tables.
func (j *job) takeFromTables(ctx context.Context, m schemas.Manifest, what []string) error {
	list, err := tables(m, j.tables)
	if err != nil {
		return err
	}
	// The complete list, so that Has decides as it does for the shards.
	taken, err := takedown.Read(j.f)
	if err != nil {
		return err
	}
	for _, t := range list {
		keys, err := t.removeRows(ctx, what, taken)
		if err != nil {
			return fmt.Errorf("the collection has nothing of it any more, but a table may: say the same again when its "+
				"servers answer: %w", err)
		}
		j.say("table      %s of %s removed, and their regions written again", cli.Plural(len(keys), "row"), t.name())
	}
	if names := elsewhere(m); len(names) > 0 {
		j.say("elsewhere  documents were sent to %s, too, and are there still: remove them there",
			strings.Join(names, " and "))
	}
	return nil
}
