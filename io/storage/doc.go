// Package storage is the wing of places where files lie. It holds no code of its own:
//
//	blob     names of files to their bytes: ranged reads from disks and https://, and of what is registered with it
//	gs       gs:// for blob, with Google's client library: for programs that import it
//	s3       s3:// for blob, with Amazon's client library: likewise
//	buckets  both of them, for commands
//	fetch    live web pages: one polite HTTP client for crawling
//	guard    what keeps requests out of private networks
//	folder   a folder that is written to, on a disk or in a bucket: whole files, renaming, a lock
//	secret   what of a URL must not be shown, and how it is hidden
//	setting  what users can say of commands and servers, as flags or in a file: name, default, help, what it fills
package storage
