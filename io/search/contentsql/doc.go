// Package contentsql answers questions in SQL about a collection, for what the query language does not say: joins,
// sums, windows.
//
//	db, err := contentdb.Open(ctx, f, contentdb.Options{})
//	rows, err := contentsql.Query(ctx, db, "select host, count(*) from documents group by host", contentsql.Options{})
//	defer rows.Close()
//	for rows.Next() {
//		values := rows.Values() // nil, int64, float64, string or []byte
//	}
//	err = rows.Err()
//
// SQL is SQLite's (https://sqlite.org/lang_select.html), with the quantiles of DuckDB. The table documents has every
// capture: a column for each field of schemas.Document. Texts, numbers and times are values, true and false 1 and 0;
// lists, objects and maps are JSON for SQLite's functions. What a document does not have is NULL. The other tables are
// entities, links, feeds, sources and hosts: see relations.
//
// Times are in UTC and of one width. Their columns have a collation (compareMoments), by which a time in a statement is
// the moment that it stands for, however it is written.
//
// Tables are virtual: nothing is copied. Columns that a statement does not name are not read, and comparisons that
// the query language has as well are given to package contentdb, which has the index and the pages of Parquet for them;
// SQLite tests each row again. A filter of the query language goes in parentheses after the table's name, and is
// decided by contentdb alone: documents('budget language = fr').
//
// Statements can only read, and only these tables: an authorizer refuses all else, files above all. Memory is bounded
// for what SQLite sorts and groups (it uses temporary files), for a single value (maxValue), and for the numbers of a
// quantile (maxSample).
package contentsql
