// Package query is the command that searches a collection: by language, type, time, site, words and more. It writes
// captures as a table, JSON lines, CSV or Parquet, their records as WARC, or counts.
//
// It has the command line and the formats. Package transforms/query defines questions; io/search/contentdb answers
// them, or with --runner a pipeline by package contentio. See docs/collections.md.
package query

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"

	// The buckets that collections lie in.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "query", Brief: "ask a collection: by language, type, time, site, words",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    ask,
}

type config struct {
	collection string
	common     query.Common // of these query is made
	about      string       // --about
	like       string       // --like
	meaning    string       // --meaning
	near       string       // --near
	bound      float64      // of near; 0 for that of the model
	sample     string       // --sample
	order      string       // --order
	query      query.Query
	format     string
	columns    []string // of the answers; nil for the format's own
	by         []string // fields to count by
	trends     string   // --trends
	series     []query.Series
	output     string       // "" for standard output
	archives   []string     // folders and buckets that archives are looked for in; none: where they were
	snapshot   string       // number or time of a snapshot; "" for what there is now
	catalogue  string       // the file that lake is read from; "" for none
	lake       lake.Options // what keeps the table of snapshots
	explain    bool
	noIndex    bool
	sql        string             // a statement instead of query, or ""
	sources    string             // database for source_id, or ""
	known      *sourceindex.Index // the open database, or nil
	memory     int64
	runner     string // "" if this process answers, by the index
}

func ask(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// A table has servers, not a folder.
	if c.isTable() {
		return askTable(ctx, c)
	}
	// Deferred calls run in reverse order: the collection closes before its store.
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { err = errors.Join(err, store.Close()) }()
	f := folder.Open(ctx, c.collection, store)
	defer func() { err = errors.Join(err, f.Close()) }()
	for try := 0; ; try++ {
		code, err = askOnce(ctx, c, f, store)
		if try == retries || !isReplaced(ctx, err) {
			return code, err
		}
	}
}

// askOnce asks the present collection.
func askOnce(ctx context.Context, c config, f folder.Folder, store *blob.Store) (code int, err error) {
	// Opening updates the index, which may take longer than the answer: see contentdb.Open.
	db, err := open(ctx, c, f)
	if errors.Is(err, fs.ErrNotExist) {
		return cli.ExitUsage, cli.Usagef("%s is no collection in which a run has finished: name the folder that ingest "+
			"wrote, by --collection", c.collection)
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if c.query.Where, err = db.Bind(c.query.Where); err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	// Notes say why an answer may be slow or old. They are not part of it, so they go to standard error.
	for _, note := range db.Notes() {
		slog.Warn(note)
	}
	if c.known, err = openSources(ctx, c.sources); err != nil {
		return cli.ExitUsage, err
	}
	if c.known != nil {
		defer func() { err = errors.Join(err, c.known.Close()) }()
	}
	if err := checkSources(ctx, c); err != nil {
		return cli.ExitFailed, err
	}
	if c.explain {
		plan, err := explain(ctx, c, db)
		if err != nil {
			return cli.ExitFailed, err
		}
		// Standard output is for the answer.
		cli.Note(os.Stderr, "%s", strings.TrimSpace(fmt.Sprint(plan)))
	}
	return answer(ctx, c, db, store)
}

func answer(ctx context.Context, c config, db *contentdb.DB, store *blob.Store) (code int, err error) {
	out, err := openOutput(c.output)
	if err != nil {
		return cli.ExitUsage, err
	}
	// After an error, an incomplete file must not have the final name.
	defer out.Abort()
	code, n, err := write(ctx, c, db, store, out)
	if err != nil && !out.begun() {
		err = &unsentError{err, db}
	}
	if errors.Is(err, errPipe) {
		return cli.ExitDone, nil // head, or a pager that was closed, has enough
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	// A full disk may show only now.
	if err := out.Close(); err != nil && !errors.Is(err, errPipe) {
		return cli.ExitFailed, fmt.Errorf("--output: %w", err)
	}
	if n == 0 && c.sql == "" {
		sayNothing(ctx, c, db)
	}
	if c.query.Order == query.Relevance && !c.byMeaning() && !db.Ranks() {
		slog.Warn("the newest come first: only the index ranks by words, and it cannot be asked now")
	}
	return code, nil
}

// sayNothing says why an answer may be empty.
func sayNothing(ctx context.Context, c config, db *contentdb.DB) {
	if c.format != formatCount {
		slog.Info("no capture of the collection matches", "collection", c.collection)
	}
	sayLacks(db.Lacks(c.query.Where))
	spellings, err := db.Spellings(ctx, c.query.Where)
	if err != nil {
		slog.Debug("other spellings of the filter's values were not looked for", "error", err)
	}
	for _, s := range spellings {
		slog.Warn("the filter compares capital letters too; captures have another spelling", "filter", s.Was.String(),
			"instead", s.Is.String(), "captures", s.Count)
	}
}

// sayLacks says which fields no capture has. What source_id lacks is said by checkSources.
func sayLacks(list []contentdb.Lack) {
	for _, lack := range list {
		if lack.Field != sourceField {
			slog.Warn(cli.AboutAnswer + lack.String())
		}
	}
}

// write writes the answers in the chosen format and returns their number.
func write(
	ctx context.Context, c config, db *contentdb.DB, store *blob.Store, out io.Writer,
) (code int, n int64, err error) {
	if c.sql != "" {
		n, err = writeSQL(ctx, c, db, out)
		return cli.ExitDone, n, err
	}
	if c.overTime() {
		n, err = writeTrends(ctx, c, db, out)
		return cli.ExitDone, n, err
	}
	if len(c.by) > 0 {
		// The limit is for groups here, from the largest, not for captures.
		list, err := groups(ctx, c, db)
		if errors.Is(err, query.ErrCombinations) {
			return cli.ExitUsage, 0, cli.Usagef("--by: %v", err)
		}
		if err == nil {
			sayLacks(db.LacksOf(c.by...))
			err = writeGroups(out, c, list, db.CustomTypes())
		}
		return cli.ExitDone, int64(len(list)), err
	}
	if c.format == formatCount {
		if n, err = count(ctx, c, db); err == nil {
			_, err = fmt.Fprintln(out, n)
		}
		return cli.ExitDone, n, err
	}
	if c.byMeaning() && len(c.columns) == 0 && slices.Contains(aboutFormats, c.format) {
		n, err = writeAbout(ctx, c, db, out)
		return cli.ExitDone, n, err
	}
	if c.format == formatVectors {
		n, err = writeVectors(ctx, c, db, out)
		return cli.ExitDone, n, err
	}
	e := export.Exporter{DB: db, Store: store, Archives: c.archives, Format: c.format, Columns: c.columns}
	w, err := e.NewWriter(ctx, out)
	if err != nil {
		return cli.ExitFailed, 0, err
	}
	return writeCaptures(w, func(columns []string) iter.Seq2[*schemas.Document, error] {
		if c.byMeaning() {
			return findAbout(ctx, c, db, columns)
		}
		return findSourced(ctx, c, db, columns)
	})
}

// explain describes how the answer is found.
func explain(ctx context.Context, c config, db *contentdb.DB) (query.Plan, error) {
	if !c.asksSources() {
		return db.Explain(ctx, c.query)
	}
	asked, rest := c.divided()
	plan, err := db.Explain(ctx, asked.query)
	plan.Add("sources", rest, "of the rest, each looked up in %s", c.sources)
	return plan, err
}

// count returns the number of answers, whatever the limit.
func count(ctx context.Context, c config, db *contentdb.DB) (int64, error) {
	if c.runner == "" && !c.asksSources() {
		return db.Count(ctx, c.query)
	}
	// The number does not depend on a limit. c is a copy.
	c.query.Limit = 0
	// One short column is enough for counting.
	return countOf(findSourced(ctx, c, db, []string{"surt"}))
}
