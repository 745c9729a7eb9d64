// Package ledger reads what a collection notes in its hidden folder: rows of finished units, compactions and unfinished
// changes. It also has the keys of units and the names of files. Packages collection and shard write these files.
//
//	rows, err := ledger.Rows(f)
//	key := ledger.Key(unit, options, versions)
//	row, done := rows[key]
package ledger
