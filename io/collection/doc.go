// Package collection keeps the folder that a pipeline writes: the shards of its units, what is known of each finished
// unit, and the manifest. It makes runs restartable: kill the process at any moment, start it again, and the folder
// ends as after one clean run.
//
//	documents-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a document   (also .parquet, when asked for)
//	texts-1f0c36a9b2d47e58c3aa.warc.wet.gz     a conversion record for the main text of each document (when asked for)
//	rejects-1f0c36a9b2d47e58c3aa.jsonl.zst     one line for what could not be read or enriched
//	feeds-1f0c36a9b2d47e58c3aa.jsonl.zst       one line for each feed that is captured or announced   (when asked for)
//	links-1f0c36a9b2d47e58c3aa.parquet         one row for each link of each page   (when asked for)
//	captures-1f0c36a9b2d47e58c3aa.cdxj.gz      the index of the archives
//	index.cdxj                                 all these lines in one sorted file   (when asked for)
//	manifest.json                              written last: a folder that has one is a finished run
//	report.json                                what the last run measured: it is different each time
//	.gleaner/                                  marker, lock, and one row <key>.json for each finished unit
//
// Shards are named by the Key of their unit, of which a name has the first 20 digits. So a name is a unit's for good,
// whatever comes to the collection or goes, and tables and indexes may refer to it; only a unit that is done again
// with the same key, because its archive was replaced by another of that name and size, gives other bytes to it. The
// manifest has the units in their order. Records that were joined from segments are a unit like others, the last in
// the manifest.
//
// What it does not do: it plans no units and reads no archives, and it knows nothing of Beam. The folder is on a local
// disk or in an object store: see package folder. The layout is Gleaner's own, and the second: Open brings a folder of
// the first to it.
//
// A unit is committed by renaming its files, which were complete and on disk under hidden temporary names, and then
// writing its row. Two workers may do the same unit at once: their bytes are the same, so either may win.
//
//	f := folder.Open(ctx, "out", store)
//	c, err := collection.Open(f, collection.OpenOptions{})
//	todo, done, err := c.Resume(units, keys, fresh)
//	for _, u := range todo { // on any number of machines
//		w, err := collection.NewWriter(f, u, keys[u.ID], collection.Options{})
//		// w.Document, w.Reject, w.Feed, w.CDX …
//		result, err := w.Commit(counts, collection.Note{})
//		done = append(done, result)
//	}
//	manifest, err := c.Finish(done, collection.Run{Units: len(units)})
//
// It is the wing of the folder itself. Its rooms are holdings, which reads what a collection holds, and parquetfile,
// which writes documents as Parquet. Other wings read collections, by holdings, and write beside them: search, source,
// derived, dataset and lake.
package collection
