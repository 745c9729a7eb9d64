package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestJSON_everythingIsARecord: with --log_format=json, each line of either stream is a record. Summaries and plans
// have counts.
func TestJSON_everythingIsARecord(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		args  string
		name  string // of the result
		field string // in the record: a number above 0 or a list
	}{
		{"ingest --output=OUT --format=jsonl,links testdata/archives", "summary", "totals.captures"},
		{"ingest --output=OUT --plan testdata/archives", "plan", "units"},
		{"ingest --output=OUT --plan --extract=language testdata/damaged", "plan", "refused"},
		{"ingest --output=OUT --add testdata/damaged", "summary", "totals.documents"},
		{"convert --to=cdr --output=CDR testdata/archives/site.warc.gz", "summary", "totals.written"},
		{"corpus --plan --output=CORPUS OUT", "plan", "units"},
		{"corpus --output=CORPUS --filters=none OUT", "summary", "kept"},
		{"sources --plan --output=SOURCES --collection=OUT", "plan", "units"},
		{"sources --output=SOURCES --collection=OUT", "summary", "counts.sources"},
		{"graph --output=GRAPH OUT", "summary", "hosts.vertices"},
		{"fileset --plan --output=SET", "plan", "requests"},
		{"fileset --output=SET", "summary", "totals.requests"},
		{"collection stats --collection=OUT", "answer", ""},
		{"collection compact --collection=OUT", "answer", ""},
		{"ingest --output=OUT --damage=warn --add testdata/damaged", "summary", "totals.documents"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			words := strings.Fields(tt.args)
			for i, w := range words {
				for _, name := range []string{"OUT", "CDR", "CORPUS", "SOURCES", "GRAPH", "SET"} {
					if folder, flag := strings.CutSuffix(w, name); flag && (folder == "" || strings.HasSuffix(folder, "=")) {
						words[i] = folder + at(strings.ToLower(name))
					}
				}
			}
			code, stdout, stderr := gleaner(t, append([]string{words[0], "--log_format=json"}, words[1:]...)...)
			if want := strings.Contains(tt.args, "--damage=warn"); code != 0 && (code != 3 || want) {
				t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
			}
			answers := 0
			for line := range strings.Lines(stdout + stderr) {
				var record map[string]any
				if err := json.Unmarshal([]byte(line), &record); err != nil {
					t.Fatalf("not a record: %v\n%s", err, line)
				}
				if record["command"] != words[0] || record["time"] == nil || record["level"] == nil {
					t.Errorf("a record of another form: %s", line)
				}
				if record["msg"] != tt.name {
					continue
				}
				answers++
				if !counts(record[tt.name], tt.field) {
					t.Errorf("no %s in %s", tt.field, line)
				}
			}
			if answers == 0 || answers > 1 && tt.name != "answer" {
				t.Errorf("%d answers called %s\n%s%s", answers, tt.name, stdout, stderr)
			}
		})
	}
}

// counts reports whether the value at path (names separated by dots) exists and is not empty.
func counts(value any, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if fields, ok := value.(map[string]any); ok && name != "" {
			value = fields[name]
		}
	}
	switch v := value.(type) {
	case float64:
		return v > 0
	case []any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return false
}
