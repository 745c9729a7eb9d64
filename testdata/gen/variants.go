package main

import (
	"fmt"
	"strings"
)

// notices splits the file of short council notices, entries that begin with "n: title", into articles that share
// one template: small pages for the damaged archives, and material for finding what a template repeats.
func notices(text string) []*article {
	var out []*article
	for entry := range strings.SplitSeq(strings.TrimPrefix(text, "n: "), "\n\nn: ") {
		title, body, _ := strings.Cut(entry, "\n")
		i := len(out) + 1
		out = append(out, &article{
			Host: gazette, Path: fmt.Sprintf("/notices/%02d.html", i), Lang: "en", Layout: "blog", Markup: "none",
			Title: title, Author: "Wrenmouth Town Council", Section: "Notices",
			Description: "Public notice " + fmt.Sprint(i) + " of the town council.",
			Published:   fmt.Sprintf("2022-%02d-%02dT08:00:00Z", i, 3*i),
			Tags:        []string{"council"}, text: body,
		})
	}
	return out
}

// printEdition is a near-duplicate of the article about the bridge: other layout, three sentences changed.
func printEdition(all []*article) *article {
	var a article
	for _, b := range all {
		if strings.HasSuffix(b.Path, "/swing-bridge-reopens.html") {
			a = *b
		}
	}
	a.Path, a.Layout, a.Markup, a.Label = "/print/swing-bridge.html", "table", "none", "utf-8"
	a.text = strings.NewReplacer(
		"with nine passengers and a small dog aboard", "with eight passengers and two small dogs aboard",
		"No toll will be charged, although a proposal for one was discussed in March and put aside after a meeting "+
			"that filled the Seamen's Hall.", "There will be no toll.",
		"The board has promised to publish what they find.", "Their findings will be printed in this paper.",
	).Replace(a.text)
	return &a
}

// issue is one row of the listing of back numbers.
type issue struct {
	Number   int
	Date     string
	Headline string
	Price    string
}

// issues makes n rows from word lists; which words meet depends on the row's number alone.
func issues(n int) []issue {
	who := []string{"Harbour master", "Mayor", "Choir", "Ferry crew", "School", "Regatta committee", "Lifeboat", "Baker"}
	what := []string{"refuses", "celebrates", "finds", "loses", "repairs", "paints", "borrows", "inherits", "measures"}
	which := []string{"old", "second", "missing", "floating", "silver", "unfinished", "borrowed"}
	thing := []string{
		"anchor", "clock", "bell", "pier", "telescope", "rowing boat", "weather vane", "fog horn", "gate",
		"map", "kettle",
	}
	out := make([]issue, n)
	for i := range out {
		k := i*i + 7*i
		out[i] = issue{
			Number:   1201 + i,
			Date:     fmt.Sprintf("%d-%02d-%02d", 1987+i/12, 1+i%12, 1+k%28),
			Headline: fmt.Sprintf("%s %s %s %s", who[k%8], what[(k/3)%9], which[(k/5)%7], thing[(k/7)%11]),
			Price:    fmt.Sprintf("%d.%02d", 1+i/120, k%4*25),
		}
	}
	return out
}
