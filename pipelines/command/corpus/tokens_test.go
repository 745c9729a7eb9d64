package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
)

const tokenizer = "../../../transforms/subword/testdata/bytelevel.json"

// lines reads JSON lines, compressed or not.
func lines(t *testing.T, name string) (list []map[string]any) {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}()
	r, err := jsonl.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for line, err := range r.All() {
		var m map[string]any
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// TestTokens: ingest and corpus count the same, limits decide, and the column, the funnel and the card have the same
// sum.
func TestTokens(t *testing.T) {
	in := with(t, "--extract=text,language,quality", "--tokens="+tokenizer)
	out := filepath.Join(t.TempDir(), "corpus")
	recipe := filepath.Join(t.TempDir(), "recipe.yml")
	if err := os.WriteFile(recipe, []byte("- tokens: {min: 100, max: 100000}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	said := mustRun(t, "--recipe="+recipe, "--tokens="+tokenizer, "--format=jsonl", "--dedup=none", "--output="+out, in)
	ingested := map[string]float64{}
	shards, err := filepath.Glob(filepath.Join(in, "documents-*"))
	if err != nil {
		t.Fatal(err)
	}
	few := 0
	for _, name := range shards {
		for _, d := range lines(t, name) {
			if list, is := d["custom_integers"].(map[string]any); is {
				n := list["tokens"].([]any)[0].(float64)
				if ingested[d["url"].(string)+d["timestamp"].(string)] = n; n < 100 {
					few++
				}
			}
		}
	}
	rows, sum := lines(t, filepath.Join(out, "data", "train-00000-of-00001.jsonl.zst")), 0.0
	for _, r := range rows {
		n := r["tokens"].(float64)
		if sum += n; n < 100 || n != ingested[r["url"].(string)+r["date"].(string)] {
			t.Errorf("%s has %v tokens, and %v by ingest", r["url"], n, ingested[r["url"].(string)+r["date"].(string)])
		}
	}
	if len(rows) == 0 || few == 0 || len(rows)+few != len(ingested) {
		t.Errorf("%d documents are kept, %d have few tokens, of %d", len(rows), few, len(ingested))
	}
	var m corpora.Manifest
	data, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	if last := m.Funnel[len(m.Funnel)-1].Out; float64(last.Tokens) != sum ||
		m.Counts.Reasons["tokens/few"].Documents != int64(few) {
		t.Errorf("the funnel ends with %+v, want %v tokens; %d are refused, want %d", last, sum,
			m.Counts.Reasons["tokens/few"].Documents, few)
	}
	if !strings.Contains(said, "tokens") {
		t.Errorf("the summary has no tokens:\n%s", said)
	}
}

func TestTokens_refused(t *testing.T) {
	in, dir := with(t, "--extract=text,language,quality", "--tokens="+tokenizer), t.TempDir()
	recipe := filepath.Join(dir, "recipe.yml")
	if err := os.WriteFile(recipe, []byte("- tokens: {min: 100}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"rows have a column tokens already": {"--tokens=" + tokenizer, "--columns=custom.tokens"},
		"name a tokenizer with --tokens":    {"--recipe=" + recipe},
		"no such file":                      {"--tokens=" + filepath.Join(dir, "none.json")},
		"invalid character":                 {"--tokens=" + recipe},
	} {
		code, _, errs := command(t, append(args, "--output="+filepath.Join(dir, "out"), in)...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%q: exit code %d, %s; want %q", args, code, errs, want)
		}
	}
}
