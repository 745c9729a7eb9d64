// Package storage is the parent of the packages for stored files. It has no code of its own:
//
//	blob     names of files to their bytes: ranged reads from disks, https:// and registered services
//	gs       gs:// for blob, with Google's client library: for programs that import it
//	s3       s3:// for blob, with Amazon's client library: likewise
//	buckets  both of them, for commands
//	fetch    live web pages: one polite HTTP client for crawling
//	guard    keeps requests out of private networks
//	folder   a folder for output, on a disk or in a bucket: whole files, renaming, a lock
//	secret   hides the parts of URLs and texts that must not be shown
//	setting  settings of commands and servers, as flags or in a file: name, default, help, target
//
// Of io, this wing imports nothing. All other wings import it, except stream, child, archive and rowstore.
package storage
