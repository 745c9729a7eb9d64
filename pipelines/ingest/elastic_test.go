package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestIngest_elastic: the index has all documents as in the output. A run with nothing to do writes none. The index
// is one of the options of a unit.
func TestIngest_elastic(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	flags := []string{"--extract=mime,charset", "--output=" + out, archives}
	mustRun(t, flags...)
	flags = append(flags, "--elastic="+x.URL, sinkFile(t, "elastic_batch: 64KiB"), "--unit_size=64KiB")
	mustRun(t, flags...)
	var got []string
	for _, d := range x.Docs {
		got = append(got, d)
	}
	want := documents(t, out)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 100 {
		t.Errorf("%d documents; index (-output +index):\n%.2000s", len(want), diff)
	}
	if !x.Fresh {
		t.Error("the run has ended, and the index was not refreshed")
	}
	x.Fresh = false
	before := maps.Clone(x.Tried)
	mustRun(t, flags...)
	if diff := cmp.Diff(before, x.Tried); diff != "" {
		t.Errorf("a run with nothing to do wrote documents (-before +after):\n%s", diff)
	}
	if !x.Fresh {
		t.Error("a run with nothing to do has not refreshed the index, whose run may have been killed at its end")
	}
}

func TestIngest_elasticACHE(t *testing.T) {
	x := elastictest.Start(t)
	mustRun(t, "--extract=mime", "--output="+t.TempDir(), "--elastic="+x.URL, "--elastic_documents=ache", archives)
	pages := 0
	for id, d := range x.Docs {
		var doc struct {
			URL, Title, Text, HTML string
			Words                  []string
		}
		if err := json.Unmarshal([]byte(d), &doc); err != nil || doc.URL != id {
			t.Errorf("%v, the document %s is of %s", err, id, doc.URL)
		}
		if doc.HTML != "" && doc.Title != "" && doc.Text != "" && len(doc.Words) > 0 {
			pages++
		}
	}
	if pages < 5 {
		t.Errorf("only %d of %d documents have a page, a title, text and words", pages, len(x.Docs))
	}
}

// TestIngest_elasticRefuses: a refused document is a reject, but remains in the output.
func TestIngest_elasticRefuses(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	mustRun(t, "--extract=mime", "--output="+out, "--elastic="+x.URL, archives)
	all := len(x.Docs)
	x.Item, x.Docs = elastictest.Refuse(".arc"), map[string]string{}
	if r := runCommand(t, "--fresh", "--extract=mime", "--output="+out, "--elastic="+x.URL, archives); r.code != 3 {
		t.Errorf("exit code %d, want 3\n%s", r.code, r.stderr)
	}
	refused := 0
	for _, line := range lines(t, out, "rejects-*") {
		var r schemas.Reject
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Stage == "elastic" {
			refused++
			if r.Kind != schemas.KindRefused || r.Message != elastictest.Refused || r.URL == "" || r.Lost != 0 {
				t.Errorf("reject %+v", r)
			}
		}
	}
	if refused == 0 || len(x.Docs)+refused != all || len(documents(t, out)) != all {
		t.Errorf("%d documents in the output, %d in the index, %d refused; want %d", len(documents(t, out)), len(x.Docs),
			refused, all)
	}
}

// TestIngest_elasticDown: a run whose cluster is down fails and commits nothing.
func TestIngest_elasticDown(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	x.Close()
	r := runCommand(t, "--extract=mime", "--output="+out, "--elastic="+x.URL, sinkFile(t, "elastic_start_timeout: 10ms"),
		archives)
	if r.code != 1 || !strings.Contains(r.stderr, "given up after 10ms") || strings.Contains(r.stderr, "goroutine") {
		t.Errorf("exit code %d, want 1\n%s", r.code, r.stderr)
	}
	if done, err := filepath.Glob(filepath.Join(out, "documents-*")); err != nil || len(done) > 0 {
		t.Errorf("%v, %v; want no documents", done, err)
	}
}

// sinkFile returns --sink with a file of these lines.
func sinkFile(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sinks.yml")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--sink=" + name
}

func TestIngest_elasticUsage(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	const host = "--elastic=http://127.0.0.1:1"
	for _, test := range []struct {
		flags   []string
		message string
	}{
		{[]string{"--elastic=127.0.0.1"}, "is no URL of a host"},
		{[]string{host, "--elastic_index=A"}, "no name of an index"},
		{[]string{host, "--elastic_documents=x"}, "no model"},
		{[]string{host, "--elastic_id=x"}, "neither url nor capture"},
		{[]string{host, "--elastic_user=u"}, "ELASTIC_PASSWORD"},
		{[]string{host, "--elastic_ca=" + ca}, "no certificate"},
		{[]string{host, "--elastic_ca=" + ca + "x"}, "no such file"},
		{[]string{host, sinkFile(t, "elastic_retry_timeout: x")}, "not a time span"},
		{[]string{host, sinkFile(t, "elastic_retry_timeout: -1s")}, "below 0"},
		{[]string{host, sinkFile(t, "elastic_retry_timeout: 0s")}, "must be positive"},
		{[]string{host, "--format=cdxj"}, "makes none"},
	} {
		r := runCommand(t, append(test.flags, "--output="+filepath.Join(t.TempDir(), "out"), archives)...)
		if r.code != 2 || !strings.Contains(r.stderr, test.message) {
			t.Errorf("%q: exit code %d, want 2 and %q\n%s", test.flags, r.code, test.message, r.stderr)
		}
	}
}

// TestIngest_acheConfig: with only an ache.yml, the index has ACHE's documents by URL.
func TestIngest_acheConfig(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	yml := textFile(t, "target_storage.data_format.type: ELASTICSEARCH\n"+
		"target_storage.data_format.elasticsearch.rest.hosts: ["+x.URL+"]\n")
	mustRun(t, "--extract=mime", "--output="+out, "--ache_config="+yml, archives)
	if len(x.Docs) < 20 {
		t.Errorf("the index has %d documents", len(x.Docs))
	}
	for id, d := range x.Docs {
		if !strings.Contains(d, `"topPrivateDomain"`) || !strings.Contains(d, `"url":"`+id+`"`) {
			t.Errorf("the document %s is none of ACHE's: %.200s", id, d)
		}
	}
	r := runCommand(t, "--output="+out, "--ache_config="+yml+"x", archives)
	if r.code != 2 || !strings.Contains(r.stderr, yml+"x") {
		t.Errorf("exit code %d, want 2 and the name of the file\n%s", r.code, r.stderr)
	}
}
