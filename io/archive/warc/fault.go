package warc

import (
	"bytes"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// WriteMetadata writes a metadata record (section 6.6 of WARC/1.1) about a URL without other records. For example, it
// was requested and no answer came. The same fields make the same record.
func (w *Writer) WriteMetadata(url string, at time.Time, fields []schemas.Field) (Place, error) {
	if err := w.ready(at, identity{}); err != nil {
		return Place{}, err
	}
	var block bytes.Buffer
	for _, f := range fields {
		fmt.Fprintf(&block, "%s: %s\r\n", fieldName(f.Name), oneLine(f.Value))
	}
	w.begin(Exchange{URL: url, Time: at}, "metadata", recordID("metadata", url, w.date(at), block.String()))
	w.field("Content-Type", "application/warc-fields")
	w.block("", block.Bytes())
	if err := w.flush(); err != nil {
		return Place{}, err
	}
	w.written++
	return w.place, nil
}
