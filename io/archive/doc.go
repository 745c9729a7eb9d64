// Package archive reads the captures of an archive file, whatever its format: it tells the format by content, offers
// the one [Reader] that all formats are read with, and the places where a file can be split.
//
//	f, _ := os.Open("a.warc.gz")
//	format, err := archive.Detect("a.warc.gz", f, size)
//	r, err := archive.NewReader(f, archive.Input{Name: "a.warc.gz", Size: size, End: size}, format, archive.Options{})
//	for {
//		c, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		fmt.Println(c.URL, c.Status, len(c.Body))
//	}
//
// It is the top of the wing of archives, whose rooms are, from the ground up:
//
//	member                        gzip members, zstd and lz4 frames; resynchronisation, split points
//	httpmsg payload               HTTP heads and body codings; digests
//	record                        the walk from record to record, over members, damaged or not
//	warc arc                      the two grammars of records, and writers of both
//	shape                         formats that are lines or whole files, and what writers have in common
//	ache cdr datastreamer         such formats
//	pagestore wacz                formats of folders and of packages
//	cdx                           capture indexes, read, filtered, sorted and written
//	archivetest                   the contract of a format as a test
package archive
