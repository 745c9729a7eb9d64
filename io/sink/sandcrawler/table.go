package sandcrawler

import (
	"strings"
)

// table is one that rows are written to.
type table struct {
	name    string
	columns []column
	key     int // so many columns, from the first on, are the primary key
	// touched is the column that has the time of the last change, "" for none. Where there is one, a row that is there
	// gets the new values. Where filled is set it gets those that are known, and keeps the others. Else it stays as it is.
	touched string
	filled  bool
}

// column is a name and a type of SQL.
type column struct{ name, kind string }

// columnsOf reads "name type, name type"; a name alone is a text.
func columnsOf(list string) (columns []column) {
	for part := range strings.SplitSeq(list, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(part), " ")
		if kind == "" {
			kind = "text"
		}
		columns = append(columns, column{name, kind})
	}
	return columns
}

// The tables, in the order in which they are written: their numbers are those of rows.
const (
	requests = iota
	fileResults
	platforms
	fileMeta
	cdx
)

var tables = []table{
	// A request that is there stays as it was made: it has neither touched nor filled.
	requests: {name: "ingest_request", key: 4, columns: columnsOf(
		`link_source, link_source_id, ingest_type, base_url, ingest_request_source, release_stage, request jsonb`)},
	fileResults: {name: "ingest_file_result", key: 2, touched: "updated", columns: columnsOf(
		`ingest_type, base_url, hit boolean, status, terminal_url, terminal_dt, terminal_status_code integer, ` +
			`terminal_sha1hex`)},
	platforms: {name: "ingest_fileset_platform", key: 2, touched: "updated", columns: columnsOf(
		`ingest_type, base_url, hit boolean, status, platform_name, platform_domain, platform_id, ingest_strategy,
		total_size bigint, file_count bigint, archiveorg_item_name, archiveorg_item_bundle_path, web_bundle_url, ` +
			`web_bundle_dt,
		manifest jsonb`)},
	// Of one body, which its SHA-1 is: what one result does not know of it, another does.
	fileMeta: {name: "file_meta", key: 1, filled: true, columns: columnsOf(
		`sha1hex, sha256hex, md5hex, size_bytes bigint, mimetype`)},
	// A capture does not change, so that the row that is there stays.
	cdx: {name: "cdx", key: 2, columns: columnsOf(
		`url, datetime, sha1hex, cdx_sha1hex, mimetype, warc_path, warc_csize bigint, warc_offset bigint`)},
}

// incoming is the temporary table that rows of t are copied to. n is their order: of several rows that are one, the
// last counts.
func (t table) incoming() string {
	lines := []string{"n bigint"}
	for _, c := range t.columns {
		lines = append(lines, c.name+" "+c.kind)
	}
	// No constraints: duplicates within a unit are sorted out by take. Gone with the transaction, so
	// that a connection that goes back to the pool has none left.
	return "CREATE TEMPORARY TABLE " + t.temporary() + " (" + strings.Join(lines, ", ") + ") ON COMMIT DROP"
}

func (t table) temporary() string { return "gleaner_" + t.name }

// take is the statement that takes rows from the temporary table. They are sorted by their keys, so that two
// transactions lock the rows that they have in common in one order, and do not wait for each other in a circle.
func (t table) take() string {
	// All names are constants of this file, so that nothing in the statement needs quoting.
	names, key := t.names(t.columns), t.names(t.columns[:t.key])
	order := key + ", n DESC"
	if t.filled {
		order = key + ", num_nulls(" + names + "), n DESC" // the one that knows most
	}
	sql := "INSERT INTO " + t.name + " (" + names + ") SELECT DISTINCT ON (" + key + ") " + names + " FROM " +
		t.temporary() + " ORDER BY " + order + " ON CONFLICT (" + key + ") DO "
	if t.touched == "" && !t.filled {
		return sql + "NOTHING"
	}
	var set []string
	// The key is what matched; there is nothing in it to set.
	for _, c := range t.columns[t.key:] {
		value := "EXCLUDED." + c.name
		if t.filled {
			value = "coalesce(" + value + ", " + t.name + "." + c.name + ")"
		}
		set = append(set, c.name+" = "+value)
	}
	if t.touched != "" {
		set = append(set, t.touched+" = now()")
	}
	return sql + "UPDATE SET " + strings.Join(set, ", ")
}

func (table) names(columns []column) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}
