package view

import (
	"fmt"
	"testing"
)

func TestAnswers(t *testing.T) {
	var a answers
	request := func(i int) SearchRequest { return SearchRequest{Query: fmt.Sprint(i)} }
	for i := range mostAnswers {
		a.keep(&Search{Request: request(i)})
	}
	// When it is requested again, the oldest becomes the newest; the second is removed for another one.
	if s := a.get(request(0)); s == nil || s.Request != request(0) {
		t.Fatalf("the first answer is %v", s)
	}
	a.keep(&Search{Request: request(mostAnswers)})
	a.keep(&Search{Request: request(mostAnswers), Captures: 7})
	for i, want := range map[int]bool{0: true, 1: false, 2: true, mostAnswers: true} {
		if s := a.get(request(i)); (s != nil) != want {
			t.Errorf("answer %d is kept: %v, want %v", i, s != nil, want)
		}
	}
	if s := a.get(request(mostAnswers)); s.Captures != 7 || len(a.list) != mostAnswers {
		t.Errorf("%d answers are kept, the last with %d captures", len(a.list), s.Captures)
	}
	// Another page of the same search is another answer; long ones are not kept.
	if a.get(SearchRequest{Query: "0", Cursor: "x"}) != nil {
		t.Error("the next page is the first one")
	}
	a.keep(&Search{Request: request(-1), Hits: make([]Hit, mostKept+1)})
	if a.get(request(-1)) != nil {
		t.Error("a long answer is kept")
	}
}
