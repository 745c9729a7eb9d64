package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func TestAbout(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	const about = "--about=planting grass against erosion by the sea"
	_, list, errs := command(t, out, about, "--limit=3")
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) != 3 {
		t.Fatalf("%s%s", list, errs)
	}
	var first struct {
		URL, Why, Passage, Filename string
		Alike                       float64
		Offset, From, To            int64
	}
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first.Passage, "dunes") || first.Why != "meaning" || first.Alike < .3 || first.Filename == "" ||
		first.To <= first.From {
		t.Errorf("the best passage is %s", lines[0])
	}
	// Captures come in the same order as passages.
	var urls []string
	for _, line := range lines {
		var row struct{ URL string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		urls = append(urls, row.URL)
	}
	_, text, _ := command(t, out, about, "--limit=3", "--format=urls")
	if diff := cmp.Diff(urls, strings.Fields(text)); diff != "" {
		t.Errorf("as URLs (-passages +captures):\n%s", diff)
	}
	_, french, _ := command(t, out, "--about=bridge over the harbour", "--lang=fr", "--fields=language", "--format=csv")
	got := strings.Fields(french)
	if len(got) < 2 || slices.ContainsFunc(got[1:], func(s string) bool { return s != "fr" }) {
		t.Errorf("in French: %v", got)
	}
	_, table, _ := command(t, out, about, "--format=table", "--limit=1")
	if !strings.HasPrefix(table, "alike") {
		t.Errorf("the table is %s", table)
	}
	if _, again, _ := command(t, out, about, "--limit=3", "--no_index"); !strings.HasPrefix(again, lines[0]) {
		t.Errorf("without the index: %s", again)
	}
}

// TestAbout_unknown: words that the model does not know are named beside the answer, in all formats.
func TestAbout_unknown(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	for _, format := range []string{"jsonl", "table", "urls", "csv"} {
		_, list, errs := command(t, out, "--about=xqzvw", "--format="+format)
		if strings.Contains(list, "http") || !strings.Contains(errs, "knows no word") {
			t.Errorf("%s: %s\n%s", format, list, errs)
		}
		_, list, errs = command(t, out, "--about=erosion by the sea", "--format="+format)
		if !strings.Contains(list, "http") || strings.Contains(errs, "knows no word") {
			t.Errorf("%s of known words: %s\n%s", format, list, errs)
		}
	}
}

func TestAbout_usage(t *testing.T) {
	for _, args := range [][]string{
		{"--by=lang"},
		{"--sql=select 1"},
		{"--at=2020"},
		{"--format=count"},
		{"--order=oldest"},
		{"--runner=prism"},
		{"--trends=,"},
		{"--snapshot=1"},
		{"--like=2020-01-31T12:00:00Z/https://example.org/"},
		{"--about= "},
		{"--about=?!"},
		{"--about=", "--like=yesterday"},
		{"--about=", "--like=2020-01-31T12:00:00Z/https://example.org/", "--no_index"},
		{"--about=", "--like=2020-01-31T12:00:00Z/https://example.org/", "--by=lang"},
	} {
		code, text, errs := command(t, slices.Concat([]string{"--collection=out", "--about=x"}, args)...)
		if code != cli.ExitUsage {
			t.Errorf("%v: exit code %d, %s%s", args, code, text, errs)
		}
	}
}

// TestLike: pages like a capture are others than it, and an unknown capture is an error.
func TestLike(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	_, list, errs := command(t, out, "--about=planting grass against erosion by the sea", "--limit=1")
	var best struct{ URL, Timestamp string }
	if err := json.Unmarshal([]byte(list), &best); err != nil {
		t.Fatalf("%v: %s%s", err, list, errs)
	}
	code, list, errs := command(t, out, "--like="+best.Timestamp+"/"+best.URL, "--limit=3", "--format=urls")
	if code != cli.ExitDone || strings.Count(list, "\n") != 3 || slices.Contains(strings.Fields(list), best.URL) {
		t.Errorf("exit code %d: %s%s", code, list, errs)
	}
	for _, like := range []string{
		"1990-01-31T12:00:00Z/" + best.URL, best.Timestamp + "/" + best.URL + "none",
		best.Timestamp + "/http://x.test/",
	} {
		code, list, errs := command(t, out, "--like="+like)
		if code != cli.ExitUsage || list != "" || !strings.Contains(errs, "does not have the capture") {
			t.Errorf("--like=%s: exit code %d: %s%s", like, code, list, errs)
		}
	}
}

// TestAbout_model names files that are not models.
func TestAbout_model(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	dir := t.TempDir()
	name := filepath.Join(dir, "model.safetensors")
	if code, _, errs := command(t, out, "--about=x", "--meaning="+name); code != cli.ExitFailed ||
		!strings.Contains(errs, "model of meanings") {
		t.Errorf("a missing model: %d %s", code, errs)
	}
	if err := os.WriteFile(name, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := command(t, out, "--about=x", "--meaning="+dir); code != cli.ExitFailed ||
		!strings.Contains(errs, "tokenizer.json") {
		t.Errorf("a model without a tokenizer: %d %s", code, errs)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := command(t, out, "--about=x", "--meaning="+name); code != cli.ExitFailed ||
		!strings.Contains(errs, "safetensors") {
		t.Errorf("a file that is no model: %d %s", code, errs)
	}
}
