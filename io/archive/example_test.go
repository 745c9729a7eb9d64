package archive_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/io/archive"
)

const site = "../../testdata/archives/wget.warc.gz"

func ExampleOpenFile() {
	f, err := archive.OpenFile(site, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	statuses := map[int]int{}
	for c, err := range f.Captures() {
		if err != nil {
			fmt.Println(err)
			return
		}
		statuses[c.Status]++
	}
	fmt.Println(f.Format, statuses, f.Counts().BytesLost, "bytes lost")
	// Output: warc+gzip map[0:2 200:54 301:1 404:1] 0 bytes lost
}

func ExampleNewReader() {
	b, err := os.ReadFile(site)
	if err != nil {
		fmt.Println(err)
		return
	}
	src, size := bytes.NewReader(b), int64(len(b))
	format, err := archive.Detect("wget.warc.gz", src, size)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := archive.NewReader(src, archive.Input{Name: "wget.warc.gz", Size: size}, format, archive.Options{HeadOnly: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	n := 0
	for item, err := range r.All() {
		switch {
		case err != nil:
			fmt.Println(err)
		case item.Reject != nil:
			fmt.Println(item.Reject.Offset, item.Reject.Message)
		default:
			n++
		}
	}
	fmt.Println(n, "captures")
	// Output: 58 captures
}
