package inflate_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// A stream is decoded into a buffer that has room for all of it.
func ExampleDecoder_Decode() {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprint(w, strings.Repeat("row ", 3), "your boat")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	b.WriteString("TRAILER")

	var d inflate.Decoder
	d.Reset()
	out, used, err := d.Decode(make([]byte, 0, 1000), b.Bytes())
	fmt.Printf("%s, %v, %s follows\n", out, err, b.Bytes()[used:])
	// Output: row row row your boat, EOF, TRAILER follows
}

func ExampleReader() {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	fmt.Fprintln(w, "gently down the stream")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, inflate.NewReader(&b, inflate.Gzip)); err != nil {
		log.Fatal(err)
	}
	// Output: gently down the stream
}
