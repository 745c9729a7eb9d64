// Package dataset is the parent of the packages for datasets, whose files come from archives or the live web. It has no
// code of its own:
//
//	harvest   the WARC files of a live crawl, which survive a kill
//	liveweb   the live web as a source of files
//	filesets  the folder of results
//	items     datasets as items of archive.org, and their upload
//
// Of io, this wing imports collection, archive, storage and stream. Only pipelines import it.
package dataset
