// Package sandcrawler connects a fileset ingest with Sandcrawler: with its tables in PostgreSQL and its topics of
// Kafka, for requests and results. [Tables] and [Topics] are sinks of package fileset.
//
//	tables, err := sandcrawler.OpenTables(ctx, postgres.Config{URL: "postgres://writer@127.0.0.1/sandcrawler"})
//	defer tables.Close()
//	for request, err := range tables.Requests(ctx, "dataset") {
//		// those that have no result yet
//	}
//	w, err := tables.Begin(ctx, unit)
//	err = w.Write(result, file)
//	err = w.Commit()
//
// All rows of a unit are written in one transaction, so that an aborted unit leaves none, and a repeated one overwrites
// its rows. Topics get each result at least once: a repeated unit sends its messages again, with the same ids.
//
// Sources: Sandcrawler's published schema (sql/migrations) and its proposal of 2021-09-09 on filesets.
package sandcrawler
