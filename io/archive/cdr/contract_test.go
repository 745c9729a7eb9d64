package cdr_test

import (
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
)

func TestReader_contract(t *testing.T) {
	b, err := os.ReadFile("../../../testdata/seeds/ache/CDR31.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Test(t, archivetest.Archive{Name: "CDR31.jsonl", Bytes: b, Captures: 2})
}

func TestFormat(t *testing.T) {
	image := []string{"http://example.com/img.png"}
	archivetest.TestFormat(t, archivetest.Format{Name: "cdr", Reads: "cdr", Refuses: image})
	archivetest.TestFormat(t, archivetest.Format{
		Name: "cdr", Reads: "cdr", Refuses: image,
		Options: dump.WriteOptions{Compress: dump.Off},
	})
}
