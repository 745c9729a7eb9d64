package conversion_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func Example() {
	dir, err := os.MkdirTemp("", "conversion")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary folder
	ctx := context.Background()
	f := folder.Open(ctx, dir, nil)
	c, err := conversion.Open(f, conversion.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	u, err := conversion.NewUnit(f, "key", schemas.Unit{}, 1, []conversion.Target{{Format: "ache-html"}})
	if err != nil {
		log.Fatal(err)
	}
	defer u.Abort()
	if err := u.Write(&schemas.Capture{URL: "http://example.com/", Body: []byte("<p>"), Status: 200}); err != nil {
		log.Fatal(err)
	}
	row, err := u.Commit(schemas.Counts{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := conversion.Finish(ctx, f, []conversion.Row{row}, conversion.Run{Plan: "plan", Units: 1})
	if err != nil {
		log.Fatal(err)
	}
	page, err := os.ReadFile(dir + "/ache-html/example.com/http%3A%2F%2Fexample.com%2F")
	fmt.Println(string(page), err, m.Totals.Written, m.Totals.ByDrop)
	// Output:
	// <p> <nil> 1 map[ache-html.record_type:1 ache-html.status:1]
}
