// Package sandcrawler speaks to what surrounds a fileset ingest in Sandcrawler: its tables in PostgreSQL and its topics
// of Kafka, that requests come from and that results go to. [Tables] and [Topics] are sinks of package fileset.
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
// Of a unit all rows are written in one transaction, so that a unit that was given up leaves none, and one that is done
// again writes over its rows. Topics get each result at least once: a unit that is done again sends its messages again,
// with the same ids.
//
// Sources: Sandcrawler's published schema (sql/migrations) and its proposal of 2021-09-09 on filesets.
package sandcrawler
