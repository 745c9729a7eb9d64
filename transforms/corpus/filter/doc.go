// Package filter decides which documents belong into a corpus for training, by the published rules of C4, Gopher and
// FineWeb, by what is known of a document (language, status, date …), and by lists that the user gives. It also takes
// lines and personal data out of texts.
//
//	chain, err := filter.Recipe{{Name: "gopher_quality"}, {Name: "c4"}}.Chain()
//	p := filter.NewPage(document)
//	if why := chain.Judge(p); why != "" {
//		fmt.Println("refused by", why) // gopher_quality/short
//	}
//
// A filter is a row of a table: its name, where its rules are published, its constants, and a function. The first
// filter that refuses a document ends the chain; the reason is the filter's name and what it found, with a slash
// between them. A filter may change the text, and those after it see the changed one.
//
// Where the papers leave open how something is counted, it is counted as in datatrove 0.10, whose FineWeb recipe is
// what most corpora of today were made with: words are those of package word, and lengths are in code points. A test
// compares the decisions with those of that program.
package filter

// Version is the version of the decisions.
const Version = "1"
