package office_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestODF_placesOfFields: LibreOffice Calc writes a header into each file, with signs in the places of fields.
func TestODF_placesOfFields(t *testing.T) {
	const calc = `<style:header><style:region-left><text:p><text:sheet-name>???</text:sheet-name><text:s/>(<text:title>` +
		`???</text:title>)</text:p></style:region-left><style:region-right><text:p><text:date>00/00/0000</text:date>, ` +
		`<text:time>00:00:00</text:time></text:p></style:region-right></style:header>`
	for _, test := range []struct{ name, edges, want string }{
		{"as Calc writes it", calc, "Sheet1"},
		{"dates of other countries", `<style:footer><text:p><text:date>00.00.0000</text:date></text:p><text:p>` +
			`<text:time>00:00</text:time></text:p></style:footer>`, "Sheet1"},
		{
			"a title that is written",
			`<style:header><text:p>Tides (<text:title>of 2026</text:title>)</text:p></style:header>`,
			"Tides (of 2026)\n\nSheet1",
		},
		{
			"a date that is written", `<style:header><text:p><text:date>10/02/2000</text:date></text:p></style:header>`,
			"10/02/2000\n\nSheet1",
		},
		{
			"a line among places",
			`<style:footer><text:p>???</text:p><text:p>潮</text:p><text:p>00:00</text:p></style:footer>`,
			"Sheet1\n\n潮",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustRead(t, officetest.Zip(
				officetest.File{Name: "mimetype", Body: "application/vnd.oasis.opendocument.spreadsheet"},
				officetest.File{Name: "content.xml", Body: `<office:document-content><office:body><office:spreadsheet>` +
					`<table:table table:name="Sheet1"/></office:spreadsheet></office:body></office:document-content>`},
				officetest.File{Name: "styles.xml", Body: `<office:document-styles><office:master-styles><style:master-page>` +
					test.edges + `</style:master-page></office:master-styles></office:document-styles>`},
			), doctext.Options{})
			if d.Text != test.want {
				t.Errorf("text %q, want %q", d.Text, test.want)
			}
		})
	}
}
