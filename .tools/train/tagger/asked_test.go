package main

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

func TestAsked(t *testing.T) {
	got := asked([]string{"the", ",", "o'brien", "at&t", "x31", "neo-gothic", "1999", "a", "zürich", "of"}, 4)
	if diff := cmp.Diff([]string{"the", "o'brien", "at&t", "neo-gothic"}, got); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// The capitals are those of most names on pages; "in lower case" says nothing of them.
func TestWritten(t *testing.T) {
	pages := []string{"NASA, nasa and Nasa: NASA (eBay, EBay)", "nasa nasa AT&T."}
	got := written([]string{"nasa", "ebay", "at&t", "paris"}, pages)
	if diff := cmp.Diff([]string{"NASA", "EBay", "AT&T", "Paris"}, got); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

// The labels of a type are one probability.
func TestReadKinds(t *testing.T) {
	data := make([]byte, 2*model.Labels*4)
	say := func(word, label int, p float32) {
		binary.LittleEndian.PutUint32(data[(word*model.Labels+label)*4:], math.Float32bits(p))
	}
	say(0, 1, .25)
	say(0, 4, .5)
	say(0, 9, .25)
	say(1, 0, 1)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "words"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readKinds(dir, []string{"anna", "is"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"anna": 1 + 2 + 9, "is": 1}, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if _, err := readKinds(dir, []string{"anna"}); !errors.Is(err, errSilver) {
		t.Errorf("kinds of one word of two: %v, want errSilver", err)
	}
}
