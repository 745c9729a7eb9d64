package collection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// tableOf is one of HBase that documents of a collection were written to.
type tableOf struct {
	o      hbase.Options
	layout webtable.Layout
}

func (t tableOf) name() string { return "hbase://" + strings.Join(t.o.Masters, ",") + "/" + t.o.Table }

// tables are those that the runs which made the collection wrote to, as its manifest says, or those that --hbase names.
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
	// Those of --hbase stand in place of the manifest's, which may name servers that have moved.
	if len(named) > 0 {
		return list, nil
	}
	for _, options := range madeWith(m) {
		// Two runs may have written to one table, which has to be read once.
		if t, is := noted(options[schemas.SinkHBase]); is &&
			!slices.ContainsFunc(list, func(o tableOf) bool { return o.name() == t.name() }) {
			list = append(list, t)
		}
	}
	return list, nil
}

// madeWith are the options of the last run, and those of units that were made with others.
func madeWith(m schemas.Manifest) []map[string]any {
	list := []map[string]any{m.Options}
	for _, u := range m.Units {
		if u.MadeWith != nil {
			list = append(list, u.MadeWith)
		}
	}
	return list
}

// noted reads what the sink notes of its table in a manifest: see Lasting of io/sink/hbase.
func noted(v any) (t tableOf, is bool) {
	m, _ := v.(map[string]any) // what is not as expected counts as not there
	t.o.Table, is = m["table"].(string)
	masters, _ := m["masters"].([]any)
	for _, master := range masters {
		address, _ := master.(string)
		t.o.Masters = append(t.o.Masters, address)
	}
	t.layout.ByURL = m["row_key"] == "url"
	return t, is && len(masters) > 0
}

// elsewhere are the servers of other kinds that documents were sent to: nothing is removed there.
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

// askTime is how long a server of HBase is asked again that does not answer.
const askTime = time.Minute

// removeRows removes the rows of what is taken down from a table, and has the servers write the rest again.
func (t tableOf) removeRows(ctx context.Context, what []string, list collection.Takedowns) (keys []string, err error) {
	// A user waits for it, so not as long as a run would.
	t.o.RetryTimeout = askTime
	s, err := hbase.Open(t.o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name(), err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var spans []rowstore.Span
	// Keys begin with the host, so that only a part of the table has to be read. Where they are URLs there are no spans,
	// and all of it is.
	for _, w := range what {
		spans = append(spans, t.layout.SpansOf(w, !collection.IsURL(w))...)
	}
	if keys, err = webtable.Remove(ctx, s, spans, list.Has); err != nil {
		return keys, fmt.Errorf("%s: %w", t.name(), err)
	}
	// HBase only marks what is deleted. Until the regions are written again the rows are in their files. Also when nothing
	// was found: an earlier attempt may have deleted rows, and been killed before this.
	if err := s.Purge(ctx, toPurge(spans)); err != nil {
		return keys, fmt.Errorf("%s: %w", t.name(), err)
	}
	return keys, nil
}

// toPurge are the keys whose regions are written again: all of them where nobody can say which regions an earlier
// attempt deleted rows in, as where keys are URLs.
func toPurge(spans []rowstore.Span) []rowstore.Span {
	if len(spans) == 0 {
		return []rowstore.Span{{}} // without a beginning and an end
	}
	return spans
}

// takeFromTables does it for all tables of the collection.
func (j *job) takeFromTables(ctx context.Context, m schemas.Manifest) error {
	list, err := tables(m, j.tables)
	if err != nil {
		return err
	}
	// The whole list, and not only what is asked for now: its Has decides by the same rules as for the shards.
	taken, err := collection.ReadTakedowns(j.f)
	if err != nil {
		return err
	}
	for _, t := range list {
		keys, err := t.removeRows(ctx, j.args, taken)
		if err != nil {
			return fmt.Errorf("the collection has nothing of it any more, but a table may: say the same again when its "+
				"servers answer: %w", err)
		}
		j.say("table      %s of %s removed, and their regions written anew", plural(len(keys), "row"), t.name())
	}
	if names := elsewhere(m); len(names) > 0 {
		j.say("elsewhere  documents were sent to %s, too, and are there still: remove them there",
			strings.Join(names, " and "))
	}
	return nil
}
