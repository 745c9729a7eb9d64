package cdr_test

import (
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/capture/capturetest"
	"github.com/gleaner-web/gleaner/io/codec"
)

func TestReader_contract(t *testing.T) {
	b, err := os.ReadFile("../../testdata/seeds/ache/CDR31.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	capturetest.Test(t, capturetest.Archive{Name: "CDR31.jsonl", Bytes: b, Captures: 2})
}

func TestFormat(t *testing.T) {
	image := []string{"http://example.com/img.png"}
	capturetest.TestFormat(t, capturetest.Format{Name: "cdr", Reads: "cdr", Refuses: image})
	capturetest.TestFormat(t, capturetest.Format{Name: "cdr", Reads: "cdr", Refuses: image, Options: codec.WriteOptions{Compress: codec.Off}})
}
