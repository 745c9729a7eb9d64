package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// sites writes an archive of captures, each "time URL status" with fields of its header and its body in further lines.
func sites(t *testing.T, captures ...string) string {
	t.Helper()
	var b strings.Builder
	for i, c := range captures {
		first, rest, _ := strings.Cut(c, "\n")
		var time, url, status string
		if _, err := fmt.Sscan(first, &time, &url, &status); err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(rest, "\n\n")
		http := fmt.Sprintf("HTTP/1.1 %s X\r\n%s\r\nContent-Length: %d\r\n\r\n%s",
			status, strings.ReplaceAll(head, "\n", "\r\n"), len(body), body)
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %sT00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:x:%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n", url, time, i, len(http), http)
	}
	name := filepath.Join(t.TempDir(), "sites.warc")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// page is a capture of a page with a text of its own.
func page(time, url, head string) string {
	return fmt.Sprintf("%s %s 200\nContent-Type: text/html\n\n<html><head><title>x</title>%s</head><body><article><p>"+
		"The page %s says that this paragraph is long enough to be the main text.</p></article>", time, url, head, url)
}

func rules(time, url, text string) string {
	return fmt.Sprintf("%s %s 200\nContent-Type: text/plain\n\n%s", time, url, text)
}

// opted are pages of sites that allow or refuse their use, by what decides.
var opted = []string{
	page("2024-01-01", "https://a.example/open", ""),
	page("2024-01-01", "https://a.example/meta", "<meta name=robots content=noai>"),
	page("2024-01-01", "https://a.example/private/early", ""),
	page("2026-01-01", "https://a.example/private/late", ""),
	page("2026-01-01", "https://a.example/late", ""),
	page("2024-01-01", "https://tdm.example/free/x", ""),
	page("2024-01-01", "https://tdm.example/x", ""),
	page("2024-01-01", "https://bot.example/x", ""),
	rules("2023-06-01", "https://a.example/robots.txt", "User-agent: *\nDisallow: /other/\n"),
	rules("2025-06-01", "http://a.example/robots.txt", "User-agent: *\nDisallow: /private/\n"),
	rules("2025-07-01", "https://www.a.example/robots.txt", "User-agent: *\nDisallow: /\n"), // another host
	rules("2023-06-01", "https://tdm.example/.well-known/tdmrep.json",
		`[{"location":"/free/","tdm-reservation":0},{"location":"/","tdm-reservation":1}]`),
	rules("2023-06-01", "https://bot.example/robots.txt", "User-agent: GPTBot\nDisallow: /\n"),
}

// refusals are the pages that a corpus refused, by their reasons.
func refusals(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "refused", "filtered-*"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, name := range names {
		for _, row := range lines(t, name) {
			if reason := row["reason"].(string); strings.HasPrefix(reason, "rights/") {
				list[strings.TrimPrefix(row["url"].(string), "https://")] = strings.TrimPrefix(reason, "rights/")
			}
		}
	}
	return list
}

// TestRespect: the page, and the file of its host that was captured last before it, decide, in either format of
// collections.
func TestRespect(t *testing.T) {
	// Two units: files of hosts are not in that of the pages.
	pages, files := sites(t, opted[:8]...), sites(t, opted[8:]...)
	for _, format := range []string{"jsonl", "parquet"} {
		in := filepath.Join(t.TempDir(), "out")
		if code, errs := runIngest(t, "--output="+in, "--format="+format, pages, files); code != 0 {
			t.Fatalf("ingest: exit code %d\n%s", code, errs)
		}
		for _, tt := range []struct{ respect, want string }{
			{"noai", "map[a.example/meta:noai]"},
			{"tdm", "map[tdm.example/x:tdm-reservation]"},
			{"robots", "map[a.example/private/late:disallow bot.example/x:disallow]"},
			{"robots:CCBot", "map[a.example/private/late:disallow]"},
			{"robots:gptbot,tdm,noai", "map[a.example/meta:noai a.example/private/late:disallow " +
				"bot.example/x:disallow tdm.example/x:tdm-reservation]"},
		} {
			dir := filepath.Join(t.TempDir(), "corpus")
			args := []string{
				"--filters=none", "--dedup=none", "--keep_refused", "--format=jsonl", "--respect=" + tt.respect,
				in,
			}
			said := mustRun(t, append(args, "--workers=1", "--output="+dir)...)
			if got := fmt.Sprint(refusals(t, dir)); got != tt.want {
				t.Errorf("%s --respect=%s refuses %s, want %s\n%s", format, tt.respect, got, tt.want, said)
			}
			if !strings.Contains(said, "rights/") {
				t.Errorf("the summary lacks the reason: %s", said)
			}
			if tt.respect != "tdm" {
				continue
			}
			many := filepath.Join(t.TempDir(), "corpus")
			mustRun(t, append(args, "--workers=4", "--output="+many)...)
			same(t, "4 workers", contents(t, many), contents(t, dir))
			prism := filepath.Join(t.TempDir(), "corpus")
			mustRun(t, append(args, "--runner=prism", "--output="+prism)...)
			same(t, "prism", contents(t, prism), contents(t, dir))
		}
	}
}

// TestRespect_newFile: a corpus is out of date if a file of a host came that states something else.
func TestRespect_newFile(t *testing.T) {
	in, corpus := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "corpus")
	add := func(captures ...string) string {
		if code, errs := runIngest(t, "--output="+in, "--add", sites(t, captures...)); code != 0 {
			t.Fatalf("ingest: exit code %d\n%s", code, errs)
		}
		args := []string{
			"--respect=robots", "--filters=none", "--dedup=none", "--keep_refused", "--fresh", "--output=" + corpus, in,
		}
		mustRun(t, args...)
		if said := mustRun(t, append(args, "--plan")...); !strings.Contains(said, "nothing is to be done") {
			t.Errorf("the plan says %s", said)
		}
		return fmt.Sprint(refusals(t, corpus))
	}
	if got := add(page("2024-01-01", "https://a.example/x", "")); got != "map[]" {
		t.Errorf("without robots.txt, %s is refused", got)
	}
	got := add(rules("2025-01-01", "https://a.example/robots.txt", "User-agent: *\nDisallow: /\n"))
	if want := "map[a.example/x:disallow]"; got != want {
		t.Errorf("with robots.txt, %s is refused, want %s", got, want)
	}
}

// TestRespect_archives: --archives extracts the statements too.
func TestRespect_archives(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	mustRun(t, "--archives="+sites(t, opted...), "--collection="+filepath.Join(t.TempDir(), "out"), "--respect=noai",
		"--filters=none", "--keep_refused", "--format=jsonl", "--output="+dir)
	if got := fmt.Sprint(refusals(t, dir)); got != "map[a.example/meta:noai]" {
		t.Errorf("%s is refused", got)
	}
}

func TestRespect_refused(t *testing.T) {
	without := with(t, "--extract=text,mime")
	for _, tt := range []struct{ respect, want string }{
		{"robots", "add rights to --extract of ingest"},
		{"robots,all", `"all" is not one of robots`},
		{"robots:Nobody", "no crawler of this name is known"},
	} {
		dir := filepath.Join(t.TempDir(), "corpus")
		code, _, errs := command(t, "--respect="+tt.respect, "--output="+dir, without)
		if code != cli.ExitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("--respect=%s: exit code %d, want %q\n%s", tt.respect, code, tt.want, errs)
		}
	}
}
