package cdr_test

import (
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/capture/capturetest"
)

func TestReader_contract(t *testing.T) {
	b, err := os.ReadFile("../../../shared/corpora/seeds/ache/generated/CDR31.jsonl")
	if err != nil {
		t.Skipf("what ACHE wrote is not here: %v", err)
	}
	capturetest.Test(t, capturetest.Archive{Name: "CDR31.jsonl", Bytes: b, Captures: 2})
}
