// Package archive reads the captures of an archive file in any format. It detects the format by content, offers one
// [Reader] for all formats, and finds the places where a file can be split.
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
// [Reader.Captures] returns captures alone. [Detect] and [NewReader] read any io.ReaderAt, and parts of a file.
//
// Its subpackages are, from the lowest level up:
//
//	httpmsg payload               HTTP heads and body codings; digests
//	record                        the walk from record to record, over members, damaged or not
//	warc arc                      the two grammars of records, and writers of both
//	dump                          formats that are lines or whole files, and common parts of writers
//	ache cdr datastreamer         such formats
//	mend                          repairs heads in which bits have changed
//	pagestore wacz                formats of folders and of packages
//	cdx                           capture indexes, read, filtered, sorted and written
//	archivetest                   the contract of a format as a test
//
// Of io, this wing imports stream. Work, collection, source, derived, dataset, sink, beam and pipelines import it.
package archive
