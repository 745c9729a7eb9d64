package sandcrawler

import (
	"strings"
)

// table is a table of the database.
type table struct {
	name    string
	columns []column
	key     int // number of columns in the primary key, from the first on
	// touched is the column with the time of the last change, or "". With it an existing row gets the new values. With
	// filled an existing row gets the known new values, and keeps the others. Otherwise the row stays unchanged.
	touched string
	filled  bool
}

// column is a name and a type of SQL.
type column struct{ name, kind string }

// columnsOf parses "name type, name type"; a name alone is a text.
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

// The tables in the order of writing: their numbers are those of rows.
const (
	requests = iota
	fileResults
	platforms
	fileMeta
	cdx
)

var tables = []table{
	// An existing request stays unchanged: it has neither touched nor filled.
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
	// The data of one body with its SHA-1 as key: one result may add values that another lacks.
	fileMeta: {name: "file_meta", key: 1, filled: true, columns: columnsOf(
		`sha1hex, sha256hex, md5hex, size_bytes bigint, mimetype`)},
	// A capture does not change, so that the existing row stays.
	cdx: {name: "cdx", key: 2, columns: columnsOf(
		`url, datetime, sha1hex, cdx_sha1hex, mimetype, warc_path, warc_csize bigint, warc_offset bigint`)},
}

// incoming returns the definition of the temporary table for rows of t. n is their order: of several rows with one key,
// the last counts.
func (t table) incoming() string {
	lines := []string{"n bigint"}
	for _, c := range t.columns {
		lines = append(lines, c.name+" "+c.kind)
	}
	// Without constraints, because take handles duplicates within a unit. It is dropped with the transaction, so that
	// the pooled connection has none left.
	return "CREATE TEMPORARY TABLE " + t.temporary() + " (" + strings.Join(lines, ", ") + ") ON COMMIT DROP"
}

func (t table) temporary() string { return "gleaner_" + t.name }

// take returns the statement that moves rows from the temporary table. It sorts them by their keys, so that two
// transactions lock common rows in the same order, without a deadlock.
func (t table) take() string {
	// All names are constants of this file, so that nothing in the statement needs quoting.
	names, key := t.names(t.columns), t.names(t.columns[:t.key])
	order := key + ", n DESC"
	if t.filled {
		order = key + ", num_nulls(" + names + "), n DESC" // the one with the most known values
	}
	sql := "INSERT INTO " + t.name + " (" + names + ") SELECT DISTINCT ON (" + key + ") " + names + " FROM " +
		t.temporary() + " ORDER BY " + order + " ON CONFLICT (" + key + ") DO "
	if t.touched == "" && !t.filled {
		return sql + "NOTHING"
	}
	var set []string
	// The key has matched, so it needs no update.
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
