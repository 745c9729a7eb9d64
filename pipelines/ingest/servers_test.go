package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
)

// TestIngest_acheConfig: with an ache.yml alone, the index has the documents that ACHE writes, by their URLs.
func TestIngest_acheConfig(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	yml := filepath.Join(t.TempDir(), "ache.yml")
	text := "target_storage.data_format.type: ELASTICSEARCH\n" +
		"target_storage.data_format.elasticsearch.rest.hosts: [" + x.URL + "]\n"
	if err := os.WriteFile(yml, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
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
	if r.code != 2 || !strings.Contains(r.stderr, "ache.ymlx") {
		t.Errorf("exit code %d, want 2 and the name of the file\n%s", r.code, r.stderr)
	}
}
