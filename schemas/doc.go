// Package schemas defines the data of Gleaner: the captures that codecs read, the results of transforms, and the rows
// that pipelines write. It imports the standard library only, so that anybody can decode Gleaner's records with it.
//
//   - [Capture]: one archived exchange, as a codec delivers it.
//   - [Document]: the result of enriching a capture; one line of documents-*.jsonl.
//   - [Reject]: what could not be read or enriched; one line of rejects-*.jsonl.
//   - [FeedCapture]: a feed in a capture; one line of feeds-*.jsonl.
//   - [Segment]: one part of a record that was written as several.
//   - [Unit]: the piece of input that one worker does.
//   - [FilesetResult]: the files of a published dataset; one line of fileset-results-*.jsonl.
//   - [Manifest]: the result of a finished run; manifest.json.
//
// Lines of content-*.jsonl are records of one format of others: io/archive/datastreamer has them.
//
// Nothing is invented: a field that is not known is absent from the JSON.
//
//	var d schemas.Document
//	for line := range lines {
//		if err := json.Unmarshal(line, &d); err != nil {
//			return err
//		}
//		fmt.Println(d.URL, d.Language, len(d.Text))
//	}
package schemas

// Version is the version of the records' schema, written to every manifest. It changes when a field changes its
// meaning or its type or goes away; a new field does not change it.
const Version = "1"
