package schemas

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published is a file of results of the real system; it is not part of the project.
const published = "../../shared/corpora/seeds/sandcrawler/upstream/example_fileset_ingest_result.json"

// TestFilesetResult_published reads results of the real system and writes them again: the same members, the same
// values.
func TestFilesetResult_published(t *testing.T) {
	data, err := os.ReadFile(published)
	if err != nil {
		t.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout: results of others, which may not be copied " +
			"into it")
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var r FilesetResult
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]any
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &got); err != nil {
			t.Fatal(err)
		}
		if want["platform_base_url"] != nil {
			t.Errorf("line %d: platform_base_url is %v", n, want["platform_base_url"])
		}
		delete(want, "platform_base_url") // null there, absent here
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line %d: -want +got:\n%s", n, diff)
		}
	}
	if n < 10 {
		t.Errorf("only %d results", n)
	}
}

func TestFilesetRequest_unknownFieldsSurvive(t *testing.T) {
	const in = `{"ingest_type":"dataset","base_url":"https://a/?x=1&y=2","ext_ids":{"doi":"10.1/x","n":null},` +
		`"link_source":null,"edit_extra":{"big":12345678901234567890,"e":1e2},"rel":"web","oa_status":null}`
	var r FilesetRequest
	if err := json.Unmarshal([]byte(in), &r); err != nil {
		t.Fatal(err)
	}
	if r.Type != "dataset" || r.BaseURL != "https://a/?x=1&y=2" || r.IDs["doi"] != "10.1/x" {
		t.Errorf("got %+v", r)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil || strings.TrimSpace(b.String()) != in {
		t.Errorf("got  %s want %s, error %v", b.String(), in, err)
	}
	single, err := r.WithType("dataset-file")
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(single)
	if err != nil || !bytes.Contains(out, []byte("12345678901234567890")) ||
		!bytes.Contains(out, []byte(`"dataset-file"`)) {
		t.Errorf("got %s, error %v", out, err)
	}
}

func TestFilesetRequest_refuses(t *testing.T) {
	for _, in := range []string{`[]`, `"x"`, `null`, `{"base_url":1}`, `{"ingest_type":{}}`, `{"force_recrawl":"yes"}`} {
		var r FilesetRequest
		if err := json.Unmarshal([]byte(in), &r); err == nil && in != "null" {
			t.Errorf("%s is taken as %+v", in, r)
		}
	}
}
