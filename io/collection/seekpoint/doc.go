// Package seekpoint keeps places inside long gzip members of archives, so that one record is read without decoding
// all bytes before it. A file of points is in the collection's hidden folder, for each member. It may be removed at any
// time. Its form is in docs/collections.md.
//
//	b := seekpoint.NewBuilder(file, size) // a record.Marks, for archive.Options
//	// … read the archive …
//	err := b.Write(folder, "a.warc.gz")
//	p, err := seekpoint.Open(folder, "a.warc.gz", 0, file, size)
//	from, err := p.Find(1234) // the record with this sequence, for archive.CaptureAt
//
// The windows in a file of points are decoded bytes of the archive. They are encrypted, and the key is made of the
// archive's own bytes. So a collection holds no page because of them, and a point of another archive cannot be opened.
package seekpoint
