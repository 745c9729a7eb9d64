// Package contentsql answers SQL queries about a collection, for what the query language cannot express: joins, sums,
// windows.
//
//	db, err := contentdb.Open(ctx, f, contentdb.Options{})
//	rows, err := contentsql.Query(ctx, db, "select host, count(*) from documents group by host", contentsql.Options{})
//	defer rows.Close()
//	for rows.Next() {
//		values := rows.Values() // nil, int64, float64, string or []byte
//	}
//	err = rows.Err()
//
// SQL is SQLite's (https://sqlite.org/lang_select.html), with the quantiles of DuckDB. The table documents has a row
// for each capture and a column for each field of schemas.Document. Texts, numbers and times are values, booleans are 1
// and 0; lists, objects and maps are JSON for SQLite's functions. A missing field is NULL. The other tables are
// entities, links, data and its views, feeds, sources and hosts: see relations.
//
// Times are in UTC and of one width. Their columns have a collation (compareMoments) that compares a time in a
// statement as the moment it means, however it is written.
//
// Tables are virtual: nothing is copied. Columns that a statement does not use are not read. Package contentdb decides
// comparisons that the query language can express, by the index and the pages of Parquet. SQLite tests each row again.
// A filter of the query language goes in parentheses after the table's name, and contentdb alone decides it:
// documents('budget language = fr').
//
// Statements can only read, and only these tables: an authorizer refuses everything else, above all files. Memory is
// limited: sorting and grouping use temporary files, and maxValue and maxSample limit a single value and the numbers of
// a quantile.
package contentsql
