package mimetype_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// TestDetect_proseLikeSignatures reads texts that begin as other formats do.
func TestDetect_proseLikeSignatures(t *testing.T) {
	lines := func(n int, fill string) string { return strings.Repeat("G"+strings.Repeat(fill, n-2)+"\n", 4) }
	for _, text := range []string{
		"P3 2024 report: the year in numbers\n", "P1 2024 outage: power was lost at noon", "P6 10 20 thirty",
		"P2 1 2 3 apples", "P5 12 monkeys", "P4 2024: all of it", "P1 2024", "P1 # of three\nmore", "P7 2024 budget",
		lines(188, "A"), lines(188, "G"), ">seq\n" + lines(192, "G"),
		"FWS announced a plan", "CWS and ZWS", "ZWS is a tag", "MZ is the mark of DOS", "PAR1 and PAR2 files",
		"wOFF is a font",
		"wOF2 is one too", "MThd begins a file", "AC1015 is AutoCAD 2000", "LZIP compresses", "8BPS is Photoshop's",
		"BZh is a mark", "BMW builds cars", "icns is an icon", "xar! is an archive", "GIF89a is the format", "GIF87a too",
		"070707 is a number", "070701 is another", "ID3 tags hold names", "OggS begins a page", "fLaC is lossless",
		"FLV is dead", "RIFF is a container", "Cr24 is an extension", "MSCF is a cabinet", "bplist is a list",
		"bplist00 is its mark", "ITOLITLS is a book", "glTF is a model", "II is Roman", "MM is Roman too",
		"See ftyp for the brand", "TTA1 and IWAD",
	} {
		for _, body := range []string{text, text + strings.Repeat(" And then we went on, for long.", 300)} {
			if r := mimetype.Detect([]byte(body), "text/plain", "", mimetype.Options{}); r.Type != "text/plain" {
				t.Errorf("Detect(%.40q of %d bytes) = %+v, want text/plain", body, len(body), r)
			}
		}
	}
}

// TestDetect_printableFormats reads formats that are printable themselves.
func TestDetect_printableFormats(t *testing.T) {
	odc := "070707" + strings.Repeat("0", 70) + "a.txt\x00" + strings.Repeat("All of this is text. ", 300)
	magic := func(t string) mimetype.Result { return result(t, "magic", "") }
	runCases(t, []detectCase{
		{"cpio of texts", odc, "", "", magic("application/x-cpio")},
		{"cpio, new", "070701" + strings.Repeat("0000A1ED", 13) + "a\x00", "", "", magic("application/x-cpio")},
		{"archive of texts", "!<arch>\na.txt/  0 0 0 100644 4 `\nabcd", "", "", magic("application/x-archive")},
		{"drawing", "0\nSECTION\n2\nHEADER\n", "", "", magic("image/vnd.dxf")},
		{"plain bitmap", "P1\n# made by gimp\n3 2\n1 0 1\n0 1 0\n", "", "", magic("image/x-portable-bitmap")},
		{"plain pixels", "P3 1 1 255 10 20 30", "", "", magic("image/x-portable-pixmap")},
		{"raw, with text for pixels", "P5 4 1 255\nabcd", "", "", magic("image/x-portable-graymap")},
		{"any map", "P7\nWIDTH 1\nHEIGHT 1\n", "", "", magic("image/x-portable-arbitrarymap")},
		{"archive of the web", "filedesc://a 0 2020 text/plain 76\n", "", "", magic("application/x-internet-archive")},
	})
}

func TestDetect_messageLikeProse(t *testing.T) {
	const head = "From: ada@example.org\nDate: Mon, 3 May 2004 10:00:00 +0000\nSubject: a\n\nb\n"
	const date = " Mon May  3 10:00:00 2004\n"
	for body, want := range map[string]string{
		"From 9:00 to 17:00 we are open.\nCome in.\n":                    "text/plain",
		"From our correspondent in Paris: the minister has left.\n":      "text/plain",
		"From Mon May 3 10:00:00 2004 on it rained.\nThen it stopped.\n": "text/plain",
		"From here to there: 10:00\nNote: it is late\n":                  "text/plain",
		"X-Men: first\nX-Ray: second\nX-Factor: third\nall of them\n":    "text/plain",
		"X-rays are waves\nX-rays harm: yes\nX-Men fight\n":              "text/plain",
		"From ada@example.org" + date + head:                             "application/mbox",
		"From ada at example.org " + date + head:                         "application/mbox",
		"From -" + strings.ReplaceAll(date+head, "\n", "\r\n"):           "application/mbox",
		"From 12@xxx Mon May 03 10:00:00 +0000 2004\nX-GM-THRID: 1\n":    "application/mbox",
		"From ada" + date + ">From bob" + date + head:                    "application/mbox",
		"From ada Mon May  3 10:00 2004\n" + head:                        "application/mbox",
		head: "message/rfc822",
		"X-Mailer: a\nX-Priority: 3\nFrom: ada@example.org\n\nb\n": "message/rfc822",
		"X-A-Name-That-Is-Longer-Than-Others-Are: 1\n" + head:      "message/rfc822",
	} {
		if r := mimetype.Detect([]byte(body), "text/plain", "", mimetype.Options{}); r.Type != want {
			t.Errorf("Detect(%.60q) = %+v, want %s", body, r, want)
		}
	}
}

// TestDetect_programs reads the output of programs, whose names do not show its type, and their source.
func TestDetect_programs(t *testing.T) {
	for _, tt := range []struct{ url, declared, want string }{
		{"http://e.org/cgi/show.pl?x=1", "text/plain", "text/plain"},
		{"http://e.org/cgi/show.pl?x=1", "", "text/plain"},
		{"http://e.org/show.py", "text/html", "text/html"},
		{"https://e.org/list.do?id=3", "text/html; charset=utf-8", "text/html"},
		{"https://e.org/list.do", "text/html", "text/html"},
		{"http://e.org/run.sh?a", "text/plain", "text/plain"},
		{"http://e.org/show.pl?x=1", "text/css", "text/css"},
		{"http://e.org/show.py", "text/plain", "text/x-python"},
		{"http://e.org/show.py", "", "text/x-python"},
		{"show.pl", "text/html", "text/x-perl"},
		{"http://e.org/x.log", "text/plain", "text/x-log"},
		{"http://e.org/LICENSE.c", "text/plain", "text/x-csrc"},
		{"http://e.org/a.css?v=1", "text/html", "text/css"},
	} {
		r := mimetype.Detect([]byte("Nothing was found today.\n"), tt.declared, tt.url, mimetype.Options{})
		if r.Type != tt.want {
			t.Errorf("Detect(%q, %q) = %+v, want %s", tt.url, tt.declared, r, tt.want)
		}
	}
}
