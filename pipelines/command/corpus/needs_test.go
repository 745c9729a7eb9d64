package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// with makes a collection with args such as --extract.
func with(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	args = append(args, "--output="+out, "../../../testdata/archives/site.warc.gz")
	if code, errs := runIngest(t, args...); code != 0 {
		t.Fatalf("ingest %q: exit code %d\n%s", args, code, errs)
	}
	return out
}

// TestNeeds_refusesWhatWasNotExtracted: filters and flags on missing columns are usage errors, as with ingest
// --where, and do not give an empty corpus.
func TestNeeds_refusesWhatWasNotExtracted(t *testing.T) {
	text, language := with(t, "--extract=text"), with(t, "--extract=text,language,mime,quality")
	none, index := with(t, "--text=none"), with(t, "--format=cdxj")
	recipe := filepath.Join(t.TempDir(), "recipe.yml")
	write := func(text string) string {
		if err := os.WriteFile(recipe, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "--recipe=" + recipe
	}
	for name, tt := range map[string]struct {
		in, recipe string
		args       []string
		want       string // "" for a corpus
	}{
		"language": {text, "", []string{"--lang=fr"}, "needs language for language, which is not extracted: add " +
			"language to"},
		"language, there":    {language, "", []string{"--lang=en,deu"}, ""},
		"unknown language":   {language, "", []string{"--lang=xyzzy"}, `"xyzzy" is not a language`},
		"unknown, in recipe": {language, "- language: {allow: [fr, klingonese]}", nil, `"klingonese" is not a language`},
		"unknown, in mix":    {language, "", []string{"--mix=french:10%"}, `"french" is not a language`},
		"several, in mix":    {language, "", []string{"--mix=no:10%"}, "name a share of each of nb, nn"},
		"mix":                {text, "", []string{"--mix=fr:10%"}, "needs language for --mix"},
		"partition":          {text, "", []string{"--partition=language"}, "needs language for --partition"},
		"media":              {text, "- media: {allow: [text/html]}", nil, "add mime to --extract"},
		"media, there":       {language, "- media: {allow: [text/html]}", nil, ""},
		"quality":            {text, "", []string{"--where=quality.words > 10"}, "add quality to --extract"},
		"quality, there":     {language, "", []string{"--where=quality.words > 10"}, ""},
		"title":              {language, "- where: {filter: ['status = 200', 'title:a']}", nil, "add metadata to --extract"},
		"negated":            {language, "", []string{"--where=NOT (title:a OR status = 404)"}, "add metadata to --extract"},
		"custom":             {language, "", []string{"--where=custom.price = \"1\""}, `makes the field "price"`},
		"of captures":        {text, "", []string{"--where=host = \"nowhere\""}, ""},
		"page type":          {text, "- page_type: {allow: [article]}", nil, ""},
		"no text":            {none, "", nil, "--text=none left out"},
		"an index":           {index, "", nil, "needs text"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--output=" + filepath.Join(t.TempDir(), "corpus"), tt.in}, tt.args...)
			if tt.recipe != "" {
				args = append(args, write(tt.recipe))
			}
			code, _, errs := command(t, args...)
			want := cli.ExitUsage
			if tt.want == "" {
				want = cli.ExitDone
			}
			if code != want || !strings.Contains(errs, tt.want) {
				t.Errorf("exit code %d, want %q\n%s", code, tt.want, errs)
			}
			if _, err := os.Stat(strings.TrimPrefix(args[0], "--output=")); tt.want != "" && err == nil {
				t.Error("a folder was made")
			}
			if strings.Contains(name, "captures") && !strings.Contains(errs, "the corpus is empty") {
				t.Errorf("nothing is said of an empty corpus: %s", errs)
			}
		})
	}
}

// TestArchives_canBeGoneOnWith: --archives extracts enough for all filters, and ingest has nothing left to do.
func TestArchives_canBeGoneOnWith(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, archived, "--collection="+out, "--output="+filepath.Join(t.TempDir(), "corpus"),
		"--where=quality.words > 10 AND mime:html AND lang != \"xx\" AND title != \"x\"")
	before := contents(t, out)
	code, errs := runIngest(t, "--output="+out, "--extract=mime,text,language,metadata,quality", "--without=main_html",
		"../../../testdata/archives/site.warc.gz", "../../../testdata/archives/wget.warc.gz")
	if after := contents(t, out); code != 0 || len(after) != len(before) {
		t.Errorf("exit code %d, %d files for %d\n%s", code, len(after), len(before), errs)
	}
}

// runIngest runs ingest, and returns its exit code and its standard error.
func runIngest(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	code, _, stderr = commandtest.Run(t, "ingest", args...)
	return code, stderr
}
