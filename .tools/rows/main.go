// Command rows makes large collections of realistic documents for benchmarks and tests at scale. It varies the
// documents of another collection and writes them with Gleaner's own writer, with rows and manifest.
//
//	go run ./pipelines/ingest --output=from --format=parquet pages.warc.gz
//	go run ./.tools/rows -from from -n 1000000 -output rows-1m
//
// Equal flags make equal bytes. make.go describes the variations.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

type options struct {
	from, output, texts               string
	rows, months, runs, shards, hosts int
	workers, links, text              int
	html, national                    bool
}

// version is this program's version: another one makes other documents.
const version = 2

func main() {
	var o options
	flag.StringVar(&o.from, "from", "out", "a collection with real documents")
	flag.StringVar(&o.output, "output", "rows", "the folder to make; it must not be there")
	flag.StringVar(&o.texts, "texts", "../shared/corpora/lang/ntrex_long_dev.tsv.gz",
		"texts of other languages: lines of code TAB text, gzip; without them all documents keep their language")
	flag.IntVar(&o.rows, "n", 1_000_000, "documents")
	flag.IntVar(&o.months, "months", 24, "months over which they were captured, from January 2025")
	flag.IntVar(&o.runs, "runs", 10, "crawls in that time")
	flag.IntVar(&o.shards, "shards", 10, "shards that a crawl's ingestion wrote")
	flag.IntVar(&o.hosts, "hosts", 20_000, "hosts at most")
	flag.IntVar(&o.workers, "workers", 2, "shards that are written at a time")
	flag.IntVar(&o.links, "links", 0, "links of each page of HTML, half of them to other hosts")
	flag.BoolVar(&o.html, "html", true, "write main_html, which is half of a document's bytes")
	flag.IntVar(&o.text, "text", 0, "mean bytes of a text; 0: like the originals")
	flag.BoolVar(&o.national, "national", false, "types of a national crawl, where half of the captures have no text")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "rows:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	m, err := newMaker(ctx, o)
	if err != nil {
		return err
	}
	f := folder.Open(ctx, o.output, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // nothing is written after Finish
	units := m.units()
	results := make([]schemas.UnitResult, len(units))
	errs := make([]error, len(units))
	var wait sync.WaitGroup
	slots := make(chan struct{}, o.workers)
	for i := range units {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			results[i], errs[i] = m.write(f, units[i])
		}()
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	_, err = c.Finish(results, collection.Run{Units: len(units)})
	return err
}

// formats are those of the collection.
func (o options) formats() []string {
	if o.links > 0 {
		return []string{holdings.FormatParquet, holdings.FormatLinks}
	}
	return []string{holdings.FormatParquet}
}

// unit is a shard of the rows from from to to.
type unit struct {
	schemas.Unit
	from, to int
}

// units returns the shards, run by run.
func (m *maker) units() []unit {
	list := make([]unit, m.runs*m.shards)
	for i := range list {
		archive := schemas.Range{File: m.archive(i), End: fileBytes, Next: fileBytes}
		list[i] = unit{schemas.Unit{ID: i, Inputs: []schemas.Range{archive}}, m.firstOf(i), m.firstOf(i + 1)}
	}
	return list
}

// write makes one shard.
func (m *maker) write(f folder.Folder, u unit) (schemas.UnitResult, error) {
	o := shard.Options{Formats: m.formats()}
	w, err := shard.NewWriter(f, u.Unit, ledger.Key(u.Unit, "rows", version), o)
	if err != nil {
		return schemas.UnitResult{}, err
	}
	defer w.Abort()
	var counts schemas.Counts
	for i := u.from; i < u.to; i++ {
		d := m.document(u.ID, i)
		if err := w.Document(d); err != nil {
			return schemas.UnitResult{}, err
		}
		if m.links > 0 {
			if err := w.Links(m.linksOf(d)); err != nil {
				return schemas.UnitResult{}, err
			}
		}
		counts.Captures++
		counts.Records++
		counts.Document(d)
	}
	return w.Commit(counts, ledger.Note{})
}
