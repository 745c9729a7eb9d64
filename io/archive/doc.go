// Package archive reads the captures of an archive file, whatever its format: it tells the format by content, offers
// the one [Reader] that all formats are read with, and the places where a file can be split.
//
//	f, err := archive.OpenFile("a.warc.gz", archive.Options{})
//	defer f.Close()
//	for item, err := range f.All() {
//		switch {
//		case err != nil:
//			return err // the file cannot be read
//		case item.Reject != nil:
//			log.Println(item.Reject.Offset, item.Reject.Message)
//		default:
//			fmt.Println(item.Capture.URL, item.Capture.Status, len(item.Capture.Body))
//		}
//	}
//
// [Reader.Captures] gives captures alone. [Detect] and [NewReader] read anything that is an io.ReaderAt, and a part of
// a file.
//
// It is the top of the wing of archives, whose rooms are, from the ground up:
//
//	httpmsg payload               HTTP heads and body codings; digests
//	record                        the walk from record to record, over members, damaged or not
//	warc arc                      the two grammars of records, and writers of both
//	shape                         formats that are lines or whole files, and what writers have in common
//	ache cdr datastreamer         such formats
//	pagestore wacz                formats of folders and of packages
//	cdx                           capture indexes, read, filtered, sorted and written
//	archivetest                   the contract of a format as a test
package archive
