package view

import "testing"

func TestExclusions(t *testing.T) {
	r := SearchRequest{Collection: "c", Query: "a", Lang: "fr"}
	r = r.without("host", "x:y").without("status", "404").without("entity", "a*b").without("lang", none)
	where, err := r.where()
	const want = `a AND language = fr AND NOT host = x:y AND NOT status = 404 AND NOT entities.text = "a\*b" AND ` +
		`NOT NOT language:*`
	if err != nil || where.String() != want {
		t.Errorf("the filter is %v, %v, want %s", where, err, want)
	}
	list := r.filters()
	if len(list) != 5 || list[1].Title != "Not Host" || list[1].Label != "x:y" {
		t.Fatalf("filters %v", list)
	}
	if want := (SearchRequest{
		Collection: "c", Query: "a", Lang: "fr", Not: "host:x:y\nentity:a*b\nlang:-",
	}).link(); list[2].Link != want {
		t.Errorf("without status: %s, want %s", list[2].Link, want)
	}
	for _, not := range []string{"nope:a", "lang", "lang:", "status:x"} {
		if _, err := (&SearchRequest{Not: not}).where(); err == nil {
			t.Errorf("%q is no error", not)
		}
	}
}
