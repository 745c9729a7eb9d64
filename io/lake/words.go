package lake

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// ErrLeftOut means that this program has no library for Iceberg tables, and the collection has such a table or would
// get one.
var ErrLeftOut = errors.New("lake: this program was built with -tags noiceberg or local, without Iceberg tables: " +
	"build it without the tag")

// ErrNone means that the collection has no table.
var ErrNone = fmt.Errorf("lake: the collection has no Iceberg table: %w", fs.ErrNotExist)

// ErrNoSnapshot means that a snapshot does not exist: it never did, or it was expired.
var ErrNoSnapshot = errors.New("lake: there is no such snapshot")

// ErrNoParquet means that a collection has no documents as Parquet.
var ErrNoParquet = errors.New("lake: a table is of Parquet shards: run `gleaner ingest` over the folder with " +
	"--format=parquet, alone or with others")

// ErrOlder means that an earlier version wrote a shard. Engines silently take its milliseconds for microseconds, so
// that queries by time find nothing.
var ErrOlder = errors.New("lake: a shard was written by an earlier version of gleaner; run `gleaner ingest` over the " +
	"folder again, with the arguments that it was made with, which converts its shards and reads no archive")

// ErrMerged means that another program has rewritten a shard that has to leave the table. Its rows are now in other
// files, among rows that stay.
var ErrMerged = errors.New("lake: shards that are gone from the collection were rewritten by another program: " +
	"remove metadata/ and data/ to make the table anew of the collection alone, or remove those rows in that program")

// ErrCatalogue means that the table is kept elsewhere: in a catalogue, or in the folder when the options name a
// catalogue. Nothing is done in this case. A snapshot that is not seen would lose its files when others expire.
var ErrCatalogue = errors.New("lake: the table is kept elsewhere")

// Options say where the table is registered. The zero value is a table that needs no server.
type Options struct {
	// Location is the URI by which other programs find the folder, if it differs from the one used here, for example on
	// another mount. It matters when the table is made and when it is moved.
	Location string
	// Catalogue holds the properties of the catalogue that keeps the newest version: "type" (rest, glue, sql), "uri",
	// "warehouse", "credential", "token" and others. The library documents them
	// (https://go.iceberg.apache.org/configuration.html). Without properties the folder keeps the table. Package
	// catalogue provides the types.
	Catalogue map[string]string
	// Name is the table's name in the catalogue, with dots, such as "web.documents". The default is
	// "gleaner.documents".
	Name string
}

// Snapshot is the state of the table after a commit.
type Snapshot struct {
	ID        int64     // 0 for a table without commits
	Parent    int64     // 0 for the first one
	Time      time.Time // in UTC, to the millisecond
	Operation string    // append, overwrite, replace, delete
	Manifest  string    // SHA-256 of its manifest; empty if another program made the snapshot
	Files     int64     // number of data files
	Records   int64     // number of rows
	Added     int64     // data files added by the commit
	Removed   int64     // data files removed by it
}

// Point selects a snapshot by its ID, or the newest one at or before a Time. The zero value is the newest.
type Point struct {
	ID   int64
	Time time.Time
}

// Expiry selects the snapshots to remove.
type Expiry struct {
	Before time.Time // snapshots made before this time; zero selects all, except those that Keep names
	Keep   int       // number of newest snapshots that stay at any age; the newest one always stays
	// Young is the minimum age of a file without references before it is removed, since a running commit may be about
	// to refer to it. Zero means a day. Ages in a bucket are not known here: such files go if nothing else is written.
	Young time.Duration
	// DryRun reports what would be removed, and removes nothing.
	DryRun bool
}

// Expired lists the removed snapshots and files.
type Expired struct {
	Snapshots []Snapshot
	Files     []string // data files and metadata, by name
	Bytes     int64    // of the data files in Files
}

// Change is the change that one commit makes.
type Change struct {
	// Key identifies the change, for example the hash of its source. If a snapshot in the history of the newest one has
	// the same key, the change was made already and is not repeated.
	Key    string
	Add    []schemas.Shard // present in the folder
	Remove []string        // names of shards in the table
}

// Problem is something that Check found.
type Problem struct {
	Name    string // of the file in the folder; empty for a problem of the table as a whole
	Message string
}

// keeperFile records that a catalogue keeps the table, and its name there. It does not record where the catalogue is or
// how to log in: a folder from somebody else must not send credentials anywhere.
const keeperFile = ".gleaner/catalogue.json"

// Names in the folder by which other programs find a table (Java's HadoopTableOperations, DuckDB, pyiceberg).
const (
	metadataDir = "metadata"
	hintFile    = metadataDir + "/version-hint.text"
)
