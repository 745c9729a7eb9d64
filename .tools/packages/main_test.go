package main

import (
	"os"
	"strings"
	"testing"
)

func TestList_isWhatDocsHave(t *testing.T) {
	var b strings.Builder
	if err := list(&b, "../.."); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(page) {
		t.Error("docs/packages.md is not what the packages say of themselves: go run ./.tools/packages >docs/packages.md")
	}
	if n := strings.Count(b.String(), "\n| ["); n < 80 {
		t.Errorf("the list has %d packages; does it still see them all?", n)
	}
}
