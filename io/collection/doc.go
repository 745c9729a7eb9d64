// Package collection keeps the folder that a pipeline writes: the shards of its units, a row for each finished unit,
// and the manifest. Runs can be restarted: kill the process at any moment, start it again, and the folder ends as after
// one clean run.
//
//	documents-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a document   (also .parquet, if asked for)
//	texts-1f0c36a9b2d47e58c3aa.warc.wet.gz     a conversion record for the main text of each document (if asked for)
//	rejects-1f0c36a9b2d47e58c3aa.jsonl.zst     one line for each part that could not be read or enriched
//	feeds-1f0c36a9b2d47e58c3aa.jsonl.zst       one line for each feed that is captured or announced   (if asked for)
//	links-1f0c36a9b2d47e58c3aa.parquet         one row for each link of each page   (if asked for)
//	captures-1f0c36a9b2d47e58c3aa.cdxj.gz      the index of the archives
//	index.cdxj                                 all these lines in one sorted file   (if asked for)
//	manifest.json                              written last: a folder with a manifest is a finished run
//	report.json                                measurements of the last run, different each time
//	.gleaner/                                  marker, lock, and one row <key>.json for each finished unit
//
// A shard is named by the first 20 digits of its unit's Key. The name stays the same while the collection changes, so
// tables and indexes may refer to it. Its bytes change only if the unit is done again with the same key. That happens
// if another archive of the same name and size replaces its archive. The manifest lists units in their order. Records
// that were joined from segments are a unit of their own, the last in the manifest.
//
// The package plans no units, reads no archives and does not depend on Beam. The folder is on a local disk or in an
// object store: see package folder. The layout is Gleaner's own, version 2; Open migrates folders of layout 1.
//
// A unit is committed in two steps: its files, complete and on disk under temporary names, are renamed; then its row is
// written. Two workers may do the same unit at once: their bytes are the same, so either may win.
//
//	f := folder.Open(ctx, "out", store)
//	c, err := collection.Open(f, collection.OpenOptions{})
//	todo, done, err := c.Resume(units, keys, fresh)
//	for _, u := range todo { // on any number of machines
//		w, err := shard.NewWriter(f, u, keys[u.ID], shard.Options{})
//		// w.Document, w.Reject, w.Feed, w.CDX …
//		result, err := w.Commit(counts, ledger.Note{})
//		done = append(done, result)
//	}
//	manifest, err := c.Finish(done, collection.Run{Units: len(units)})
//
// Its subpackages are, from the lowest level up:
//
//	parquetfile arrowstream  documents as Parquet, and as an Arrow stream
//	holdings                 reads collections: manifest, names of shards, records
//	claim                    the lock of a folder, jobs and generations
//	interim                  files that one pass leaves for the next
//	takedown                 the list of pages that were taken down
//	ledger                   reads the hidden folder: rows of units, keys, notes of changes
//	shard                    writes the files of a unit
//	layout                   migrates folders of layout 1
//	care                     changes finished collections: compacts, merges, adopts, takes pages down, verifies
//
// Of io, this wing imports archive, storage and stream. Search, source, derived, dataset, lake, rowstore, beam and
// pipelines import it. They read collections through holdings and write beside them.
package collection
