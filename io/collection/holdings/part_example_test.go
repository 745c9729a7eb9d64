package holdings_test

import (
	"context"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// ExampleWhole reads a collection; this one was written by an earlier version, which makes no difference.
func ExampleWhole() {
	ctx := context.Background()
	all, manifest, err := holdings.Whole(folder.Open(ctx, "../testdata/layout1", nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("units:", len(manifest.Units))
	for d, err := range all.Documents(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if d.MIMEDetected == "text/plain" {
			fmt.Println(d.URL)
		}
	}
	// Output:
	// units: 4
	// http://port.wrenmouth.example/robots.txt
	// http://www.harbour-gazette.example/robots.txt
	// http://www.harbour-gazette.example/docs/tide-table.txt
}
