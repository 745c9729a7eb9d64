// Package filter decides which documents belong in a corpus for training. It uses the published rules of C4, Gopher
// and FineWeb, properties of a document (language, status, date …), and lists given by the user. It also removes lines
// and personal data from texts.
//
//	chain, err := filter.Recipe{{Name: "gopher_quality"}, {Name: "c4"}}.Chain(filter.Tools{})
//	p := filter.NewPage(document)
//	if why := chain.Judge(p); why != "" {
//		fmt.Println("refused by", why) // gopher_quality/short
//	}
//
// A filter is a row of a table: its name, its published source, its constants, and a function. The first filter that
// refuses a document ends the chain. The reason is the filter's name, a slash, and the finding. A filter may change
// the text, and later filters see the changed text.
//
// If the papers do not say how to count, this package counts as datatrove 0.10 does. Most current corpora were made
// with its FineWeb recipe. Words are those of package word, and lengths are in code points. A test compares the
// decisions with those of that program.
package filter

// Version is the version of the decisions.
const Version = "3"
