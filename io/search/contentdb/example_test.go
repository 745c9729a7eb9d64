package contentdb_test

import (
	"context"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func ExampleOpenPath() {
	ctx := context.Background()
	// A copy, because OpenPath makes an index in the folder.
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.CopyFS(dir, os.DirFS("../../collection/testdata/layout1")); err != nil {
		fmt.Println(err)
		return
	}
	db, err := contentdb.OpenPath(ctx, dir, contentdb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	where, err := query.Parse(`mime = "text/plain" AND status = 200`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for d, err := range db.Find(ctx, query.Query{Where: where}, []string{"url", "status"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.Status, d.URL)
	}
	// Output:
	// 200 http://www.harbour-gazette.example/docs/tide-table.txt
	// 200 http://port.wrenmouth.example/robots.txt
	// 200 http://www.harbour-gazette.example/robots.txt
}
