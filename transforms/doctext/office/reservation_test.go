package office_test

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

// Electronic books have a reservation of text and data mining as EPUB 3 or 2 has properties, with any prefix.
func TestRead_reservation(t *testing.T) {
	for _, tt := range []struct{ prefix, metas, reserved, policy string }{
		{
			"tdm: http://www.w3.org/ns/tdmrep/",
			`<meta property="tdm:reservation">1</meta><meta property="tdm:policy">https://a.example/p</meta>`,
			"1", "https://a.example/p",
		},
		{
			"dcterms: http://purl.org/dc/terms/ r: http://www.w3.org/ns/tdmrep#",
			`<meta property="r:reservation"> 0 </meta>`, "0", "",
		},
		{"", `<meta name="tdm:reservation" content="1"/>`, "1", ""},
		{"tdm: http://www.w3.org/ns/tdmrep", `<meta property="other:reservation">1</meta>`, "", ""},
		{"tdm:", `<meta property="reservation">1</meta>`, "", ""},
	} {
		opf := fmt.Sprintf(`<package xmlns="http://www.idpf.org/2007/opf" prefix="%s"><metadata>%s</metadata></package>`,
			tt.prefix, tt.metas)
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: "application/epub+zip"},
			officetest.File{Name: "META-INF/container.xml", Body: "<container/>"}, officetest.File{Name: "a.opf", Body: opf})
		doc, err := office.Read("application/epub+zip", body, doctext.Options{})
		if err != nil || doc.Reservation != tt.reserved || doc.Policy != tt.policy {
			t.Errorf("%s %s: %q, %q (%v)", tt.prefix, tt.metas, doc.Reservation, doc.Policy, err)
		}
	}
}
