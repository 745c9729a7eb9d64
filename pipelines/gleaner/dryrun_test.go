package main

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDryRun_touchesNothing: with --dry_run, no command changes a file, even with --fresh over finished output. No
// local name is sent to a service.
func TestDryRun_touchesNothing(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"ingest", "--output=" + at("out"), "testdata/archives"},
		{"convert", "--to=cdr", "--output=" + at("cdr"), "testdata/archives/site.warc.gz"},
		{"corpus", "--output=" + at("corpus"), "--collection=" + at("out")},
		{"sources", "--output=" + at("sources"), "--collection=" + at("out")},
		{"fileset", "--output=" + at("set")},
	} {
		if code, _, stderr := gleaner(t, args...); code != 0 && code != 3 {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
	cloud := " --runner=dataflow --project=p --region=r"
	before := sums(t, dir)
	for command, want := range map[string]string{
		"corpus --fresh --filters=none --output=CORPUS --collection=OUT":                       "--runner=dataflow",
		"corpus --output=CORPUS --collection=OUT":                                              "--runner=dataflow",
		"corpus --output=NEW --collection=OUT --archives=testdata/archives":                    "--runner=dataflow",
		"corpus --output=CORPUS --collection=OUT" + cloud:                                      "out of reach",
		"corpus --fresh --output=gs://b/corpus --collection=OUT" + cloud:                       "out of reach",
		"corpus --output=gs://b/c --collection=gs://b/out --against=CORPUS" + cloud:            "out of reach",
		"corpus --output=gs://b/c --collection=gs://b/out --archives=gs://b/a" + cloud:         "leave them out",
		"sources --output=SOURCES --as_of=2027-01-01 --collection=OUT":                         "--runner=dataflow",
		"sources --output=SOURCES --collection=OUT" + cloud:                                    "out of reach",
		"ingest --fresh --output=OUT testdata/damaged":                                         "--runner=dataflow",
		"convert --fresh --to=warc --output=CDR testdata/damaged":                              "--runner=dataflow",
		"fileset --fresh --output=SET":                                                         "not for this command",
		"fileset --output=SET" + cloud:                                                         "not for this command",
		"query --collection=OUT --lang=fr":                                                     "not for this command",
		"query --collection=OUT" + strings.ReplaceAll(cloud, "--region=r", "--region=r --x=y"): "no such flag",
	} {
		words := strings.Fields(command)
		for i, w := range words {
			words[i] = strings.NewReplacer("OUT", at("out"), "CORPUS", at("corpus"), "NEW", at("new"),
				"SOURCES", at("sources"), "CDR", at("cdr"), "SET", at("set")).Replace(w)
		}
		code, stdout, stderr := gleaner(t, append(words, "--dry_run")...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s --dry_run: exit code %d, want 2 and %q\n%s%s", command, code, want, stdout, stderr)
		}
	}
	for _, command := range []string{
		"query --collection=" + at("out"), "corpus --output=gs://b/c --collection=" + at("out"),
		"moremeta --detect --report=r " + dir,
	} {
		words := strings.Fields(command + cloud + " --staging_location=gs://b/s --worker_binary=/dev/null")
		code, _, stderr := gleaner(t, words...)
		if code != 2 || !strings.Contains(stderr, "out of reach") && !strings.Contains(stderr, "worker") {
			t.Errorf("%s on Dataflow: exit code %d, want 2 and why\n%s", command, code, stderr)
		}
	}
	if after := sums(t, dir); !maps.Equal(before, after) {
		t.Error("files have changed")
	}
}

// sums returns the hashes of all files of a folder by name.
func sums(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = sha256.Sum256(data)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}
