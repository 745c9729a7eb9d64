package boilerpipe_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
)

func ExampleText() {
	src := `<body><a href="/">Home</a> <a href="/a">About</a>
<p>This domain is established to be used for illustrative examples in documents.</p>
<p>You may use this domain in examples without prior coordination or asking for permission.</p>`
	fmt.Print(boilerpipe.Text([]byte(src)))
	// Output:
	// This domain is established to be used for illustrative examples in documents.
}
