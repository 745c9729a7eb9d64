package office_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

// TestRead_repeated reads sheets of OpenDocument that store equal rows and cells once.
func TestRead_repeated(t *testing.T) {
	const cell, end = `<table:table-cell><text:p>`, `</text:p></table:table-cell>`
	rows := func(n, content string) string {
		return `<table:table-row table:number-rows-repeated="` + n + `">` + content + `</table:table-row>`
	}
	for _, tt := range []struct{ name, body, want, problem string }{
		{"rows", rows("3", cell+"same"+end) + rows("1", cell+"last"+end), "same\nsame\nsame\nlast", ""},
		{"rows of cells", rows("2", cell+"a"+end+cell+"b"+end), "a\tb\na\tb", ""},
		{"after empty cells", rows("2", cell+end+cell+"b"+end), "b\n\tb", ""},
		{"empty rows", rows("1048575", cell+end) + rows("1", cell+"last"+end), "last", ""},
		{"broken numbers", rows("-3", cell+"a"+end) + rows("x", cell+"b"+end), "a\nb", ""},
		{
			"cells", rows("1", strings.Replace(cell, ">", ` table:number-columns-repeated="150">`, 1)+"a"+end),
			strings.Repeat("a\t", 149) + "a", "",
		},
		{"more than the limit", rows("1000000", cell+"same"+end), strings.Repeat("same\n", 199) + "same", "limit"},
		{
			"a table in a cell", `<table:table-row><table:table-cell><table:table>` + rows("2", cell+"in"+end) +
				`</table:table></table:table-cell>` + cell + "out" + end + `</table:table-row>` + rows("2", cell+"a"+end),
			"in\tout\na\na", "",
		},
	} {
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: "application/vnd.oasis.opendocument.spreadsheet"},
			officetest.File{Name: "content.xml", Body: `<office:document-content><office:body><office:spreadsheet>` +
				`<table:table>` + tt.body + `</table:table></office:spreadsheet></office:body></office:document-content>`})
		d, err := office.Read("application/vnd.oasis.opendocument.spreadsheet", body, doctext.Options{MaxText: 1000})
		if err != nil {
			t.Fatal(err)
		}
		problem := ""
		for _, p := range d.Problems {
			problem += string(p.Kind)
		}
		if d.Text != tt.want || problem != tt.problem {
			t.Errorf("%s: Read = %.90q (%d bytes), %v, want %.90q", tt.name, d.Text, len(d.Text), d.Problems, tt.want)
		}
	}
}

// TestRead_dates tells the dates of a book apart by their events.
func TestRead_dates(t *testing.T) {
	for dates, want := range map[string]string{
		`<dc:date>2010</dc:date>`:                                   "2010-01-01 ",
		`<dc:date opf:event="ops-publication">2013-05-01</dc:date>`: "2013-05-01 ",
		`<dc:date opf:event="Publication">2013-05-01</dc:date>`:     "2013-05-01 ",
		`<dc:date opf:event="modification">2018-08-30</dc:date>`:    " 2018-08-30",
		`<dc:date opf:event="conversion">2018-08-30</dc:date>`:      " ",
		`<dc:date opf:event="creation">2001-02-03</dc:date>`:        "2001-02-03 ",
		`<dc:date opf:event="modification">2018-08-30</dc:date>
			<dc:date opf:event="publication">2011-12-13</dc:date>`: "2011-12-13 2018-08-30",
		`<dc:date opf:event="creation">2001-02-03</dc:date>
			<dc:date opf:event="publication">2011-12-13</dc:date>`: "2011-12-13 ",
	} {
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: "application/epub+zip"},
			officetest.File{Name: "META-INF/container.xml", Body: `<container><rootfile full-path="a.opf"/></container>`},
			officetest.File{Name: "a.opf", Body: `<package xmlns:opf="http://www.idpf.org/2007/opf"><metadata>` + dates +
				`</metadata></package>`})
		d, err := office.Read("application/epub+zip", body, doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Created + " " + d.Modified; got != want {
			t.Errorf("%s: %q, want %q", dates, got, want)
		}
	}
}

// TestRead_comments reads comments of OpenDocument without their authors and dates.
func TestRead_comments(t *testing.T) {
	for note, want := range map[string]string{
		`<dc:creator>Bo</dc:creator><meta:creator-initials>B</meta:creator-initials><text:p>Recheck</text:p>`: "Recheck",
		`<loext:sender-initials>BJ</loext:sender-initials><text:p>a</text:p><text:p>b</text:p>`:               "a\n\nb",
		`<text:list><text:list-item><text:p>in a list</text:p></text:list-item></text:list>`:                  "in a list",
		`<meta:date-string>May</meta:date-string><text:p>an <text:span>old</text:span> one</text:p>`:          "an old one",
	} {
		const kind = "application/vnd.oasis.opendocument.text"
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: kind}, officetest.File{
			Name: "content.xml", Body: `<office:document-content><office:body><office:text><text:p>Revised<office:annotation>` +
				note + `</office:annotation> peaked</text:p></office:text></office:body></office:document-content>`,
		})
		d, err := office.Read(kind, body, doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Text != "Revised peaked\n\n"+want {
			t.Errorf("%s: %q, want %q", note, d.Text, want)
		}
	}
}

// TestRead_chapters reads books whose chapters have any name, and reports those that are missing.
func TestRead_chapters(t *testing.T) {
	for _, tt := range []struct{ name, file, href, media, want, problem string }{
		{"usual", "a.xhtml", "a.xhtml", "application/xhtml+xml", "One", ""},
		{"without an extension", "a", "a", "application/xhtml+xml", "One", ""},
		{"another extension", "a.txt", "a.txt", "Text/HTML ", "One", ""},
		{"an old type", "a.dat", "a.dat", "text/x-oeb1-document", "One", ""},
		{"a number", "ch.1", "ch.1", "application/xhtml+xml", "One", ""},
		{"a wrong type", "a.html", "a.html", "text/plain", "One", ""},
		{"a picture", "a.jpg", "a.jpg", "image/jpeg", "", ""},
		{"missing", "a.xhtml", "b.xhtml", "application/xhtml+xml", "", "damaged"},
		{"no item", "a.xhtml", "", "", "", "damaged"},
	} {
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: "application/epub+zip"},
			officetest.File{Name: "META-INF/container.xml", Body: `<container><rootfile full-path="a.opf"/></container>`},
			officetest.File{Name: "a.opf", Body: `<package><manifest>` +
				`<item id="z" href="z.xhtml" media-type="application/xhtml+xml"/>` +
				strings.Repeat(`<item id="x" href="`+tt.href+`" media-type="`+tt.media+`"/>`, min(len(tt.href), 1)) +
				`</manifest><spine><itemref idref="z"/><itemref idref="x"/></spine></package>`},
			officetest.File{Name: "z.xhtml", Body: `<p>Zero</p>`}, officetest.File{Name: tt.file, Body: `<p>One</p>`})
		d, err := office.Read("application/epub+zip", body, doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problem := ""
		for _, p := range d.Problems {
			problem += string(p.Kind)
		}
		if d.Text != strings.TrimSpace("Zero\n\n"+tt.want) || problem != tt.problem {
			t.Errorf("%s: Read = %q, %v, want %q", tt.name, d.Text, d.Problems, tt.want)
		}
	}
}
