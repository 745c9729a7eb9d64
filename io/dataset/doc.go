// Package dataset is the wing of datasets: their files, found in archives or on the live web. It holds no code of its
// own:
//
//	harvest   the WARC files of a live crawl, which survive a kill
//	liveweb   the live web as a place where files are found
//	filesets  the folder of results
//	items     datasets as items of archive.org, and their upload
package dataset
