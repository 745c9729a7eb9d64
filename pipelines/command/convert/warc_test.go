package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
)

// TestConvert_warc: files of the requested size, version and compression hold all pages. Pages with an earlier
// payload are revisits.
func TestConvert_warc(t *testing.T) {
	list := pages(40)
	for i := range list {
		list[i].Body = fmt.Appendf(nil, "page %d %s", i/2, strings.Repeat("tide ", 200))
	}
	in, out := archiveOf(t, list), filepath.Join(t.TempDir(), "out")
	mustRun(t, "--to=warc", "--warc_size=4KiB", "--warc_version=1.0", "--warc_zstd", "--warc_revisits", "--output="+out,
		in)
	files, err := filepath.Glob(filepath.Join(out, "warc/*/*.warc.zst"))
	if err != nil || len(files) < 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	types := map[string]int{}
	for i, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if i < len(files)-1 && (info.Size() < 4<<10 || info.Size() > 6<<10) {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		r, err := warc.NewReader(f, info.Size(), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if string(rec.Head.Line) != "WARC/1.0" {
				t.Fatalf("%s: %q", name, rec.Head.Line)
			}
			types[warc.Type(&rec.Head)]++
		}
	}
	// The archive's own warcinfo is copied in addition to that of each file.
	if types["response"] != 20 || types["revisit"] != 20 || types["warcinfo"] != len(files)+1 {
		t.Errorf("%v in %d files", types, len(files))
	}
	for _, flags := range [][]string{
		{"--to=ache-html", "--warc_size=1MiB"}, {"--to=wacz", "--warc_version=1.0"}, {"--to=warc", "--warc_version=2"},
	} {
		if code, text := runCommand(t, append(flags, "--output="+filepath.Join(t.TempDir(), "no"), in)...); code != 2 ||
			!strings.Contains(text, "--warc_") {
			t.Errorf("%v: exit code %d: %s", flags, code, text)
		}
	}
}

// TestConvert_warcinfoIDs: no two files of conversions have one id, and the same input makes the same id.
func TestConvert_warcinfoIDs(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	plain := dump.WriteOptions{StatusLine: true, Compress: dump.Off}
	write(t, first, "ache-warc", plain, pages(100))
	write(t, second, "ache-warc", plain, pages(110)[100:])
	for _, format := range []string{"warc", "ache-warc"} {
		for _, args := range [][]string{{}, {"--stamp=2024-05-06T07:08:09Z"}, {"--warc_size=20KiB"}} {
			t.Run(fmt.Sprint(format, args), func(t *testing.T) {
				ids := func(in string) (list []string) {
					out := filepath.Join(t.TempDir(), "out")
					mustRun(t, append(args, "--to="+format, "--compress=off", "--unit_size=64KiB", "--output="+out, in)...)
					files, err := filepath.Glob(filepath.Join(out, format, "*", "*.warc"))
					if err != nil {
						t.Fatal(err)
					}
					for _, name := range files {
						b, err := os.ReadFile(name)
						if err != nil {
							t.Fatal(err)
						}
						_, id, _ := strings.Cut(string(b), "WARC-Record-ID: ")
						id, _, _ = strings.Cut(id, "\r\n")
						list = append(list, id)
					}
					return list
				}
				one, two := ids(first), ids(second)
				all := slices.Sorted(slices.Values(slices.Concat(one, two)))
				if n := len(all); n < 4 || len(slices.Compact(all)) != n {
					t.Errorf("%d ids, some of them equal: %q, %q", n, one, two)
				}
				if again := ids(first); !slices.Equal(again, one) {
					t.Errorf("%q, and again %q", one, again)
				}
			})
		}
	}
}
