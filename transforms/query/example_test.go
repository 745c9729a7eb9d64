package query_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func ExampleParse() {
	where, err := query.Parse(`language = de AND timestamp >= 2025-01 AND NOT title : "imprint"`)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := schemas.Document{Language: "de", Timestamp: "2025-03-01T12:00:00Z", Title: "Bienen"}
	fmt.Println(query.Match(where, &d))
	_, err = query.Parse(`language = de AND (title : bees`)
	fmt.Println(err)
	// Output:
	// true
	// column 19: this parenthesis is not closed
}
