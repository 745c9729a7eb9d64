package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// TestRead_cropBox: only the part of a page that is shown has text.
func TestRead_cropBox(t *testing.T) {
	content := show(12, 72, 700, "left") + show(12, 400, 700, "right") + show(12, 72, 780, "slug")
	for _, tt := range []struct{ name, entries, want string }{
		{"none", "", "slug\nleft\tright\n"},
		{"the left half", "/CropBox[0 0 306 770]", "left\n"},
		{"the right half", "/CropBox[306 0 612 770]", "right\n"},
		{"without the margin", "/CropBox[0 0 612 770]", "left\tright\n"},
		{"other corners", "/CropBox[612 770 306 0]", "right\n"},
		{"larger than the page", "/CropBox[-50 -50 900 900]", "slug\nleft\tright\n"},
		{"partly off the page", "/CropBox[306 -50 900 770]", "right\n"},
		{"beside the page", "/CropBox[700 0 900 770]", "slug\nleft\tright\n"},
		{"empty", "/CropBox[10 10 10 10]", "slug\nleft\tright\n"},
		{"not numbers", "/CropBox[/a/b/c]", "slug\nleft\tright\n"},
		{"turned", "/CropBox[306 0 612 770]/Rotate 180", "right\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.PageWith(tt.entries, content)
			got := strings.Join(strings.Fields(read(t, b.Bytes()).Text), " ")
			if want := strings.Join(strings.Fields(tt.want), " "); got != want {
				t.Errorf("text %q, want %q", got, want)
			}
		})
	}
	b := pdftest.New()
	b.PageWith("/CropBox[0 0 306 770]", content)
	b.PageWith("/CropBox[306 0 612 770]", content)
	if got, want := read(t, b.Bytes()).Text, "left\n\fright\n"; got != want {
		t.Errorf("a spread as two pages: %q, want %q", got, want)
	}
}

// TestRead_layers: optional content counts if it is shown when the file is opened.
func TestRead_layers(t *testing.T) {
	const both = "/OCProperties<</OCGs[%[1]d 0 R %[2]d 0 R]/D<<%[3]s>>>>"
	for _, tt := range []struct {
		name, config string // the second group is off
		member       string // entries of a membership dictionary, or "" for the second group
		want         bool
	}{
		{"by OFF", "/OFF[%[2]d 0 R]", "", false},
		{"by BaseState", "/BaseState/OFF/ON[%[1]d 0 R]", "", false},
		{"no group is on", "/BaseState/OFF", "", false},
		{"on again", "/BaseState/OFF/ON[%[1]d 0 R %[2]d 0 R]", "", true},
		{"BaseState ON", "/BaseState/ON/ON[%[1]d 0 R]", "", true},
		{"any of both", "/OFF[%[2]d 0 R]", "/OCGs[%[1]d 0 R %[2]d 0 R]", true},
		{"any of one", "/OFF[%[2]d 0 R]", "/OCGs %[2]d 0 R", false},
		{"any of nothing", "/OFF[%[2]d 0 R]", "/OCGs[null]", true},
		{"all on", "/OFF[%[2]d 0 R]", "/P/AllOn/OCGs[%[1]d 0 R %[2]d 0 R]", false},
		{"all on, of one", "/OFF[%[2]d 0 R]", "/P/AllOn/OCGs %[1]d 0 R", true},
		{"any off", "/OFF[%[2]d 0 R]", "/P/AnyOff/OCGs[%[1]d 0 R %[2]d 0 R]", true},
		{"any off, without any", "", "/P/AnyOff/OCGs[%[1]d 0 R %[2]d 0 R]", false},
		{"all off", "/OFF[%[2]d 0 R]", "/P/AllOff/OCGs[%[1]d 0 R %[2]d 0 R]", false},
		{"all off, of one", "/OFF[%[2]d 0 R]", "/P/AllOff/OCGs %[2]d 0 R", true},
		{"not", "/OFF[%[2]d 0 R]", "/VE[/Not %[2]d 0 R]", true},
		{"and", "/OFF[%[2]d 0 R]", "/VE[/And %[1]d 0 R %[2]d 0 R]", false},
		{"or", "/OFF[%[2]d 0 R]", "/VE[/Or %[1]d 0 R %[2]d 0 R]", true},
		{"conditions in one", "/OFF[%[2]d 0 R]", "/VE[/And %[1]d 0 R[/Not[/Or %[2]d 0 R]]]", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			on, off := b.Add("<</Type/OCG/Name(on)>>"), b.Add("<</Type/OCG/Name(off)>>")
			oc := fmt.Sprintf("%d 0 R", off)
			if tt.member != "" {
				oc = "<</Type/OCMD" + places(tt.member, on, off) + ">>"
			}
			b.Catalog = places(strings.ReplaceAll(both, "%[3]s", tt.config), on, off)
			form := b.Flate("/Subtype/Form/BBox[0 0 100 100]/OC "+oc, show(12, 72, 600, "form"))
			note := b.Flate("/Subtype/Form/BBox[0 0 50 20]/Resources<</Font<</F1 "+pdftest.Helvetica+">>>>",
				show(12, 0, 0, "note"))
			b.Resources = fmt.Sprintf("<</Font<</F1 %s>>/XObject<</X %d 0 R>>/Properties<</P %s>>>>",
				pdftest.Helvetica, form, oc)
			b.PageWith(fmt.Sprintf("/Annots[<</Subtype/FreeText/OC %s/Rect[72 500 122 520]/AP<</N %d 0 R>>>>]", oc, note),
				show(12, 72, 700, "page")+"/OC/P BDC "+show(12, 72, 650, "marked")+" EMC /X Do")
			want := "page"
			if tt.want {
				want = "page marked form note"
			}
			if got := strings.Join(strings.Fields(read(t, b.Bytes()).Text), " "); got != want {
				t.Errorf("text %q, want %q", got, want)
			}
		})
	}
}

// places replaces the numbers of the two groups.
func places(s string, on, off int) string {
	return strings.NewReplacer("%[1]d", fmt.Sprint(on), "%[2]d", fmt.Sprint(off)).Replace(s)
}

// TestRead_conditions: a condition within itself ends.
func TestRead_conditions(t *testing.T) {
	b := pdftest.New()
	n := b.Add("")
	self := b.Add(fmt.Sprintf("[/Or%s]", strings.Repeat(fmt.Sprintf(" %d 0 R", n+1), 50)))
	b.Catalog = "/OCProperties<</D<<>>>>"
	b.Resources = fmt.Sprintf("<</Font<</F1 %s>>/Properties<</P<</Type/OCMD/VE[/And %d 0 R %d 0 R]>>>>>>",
		pdftest.Helvetica, self, self)
	b.Page("/OC/P BDC " + show(12, 72, 650, "marked") + " EMC")
	if got := read(t, b.Bytes()); got.Pages != 1 {
		t.Errorf("%d pages", got.Pages)
	}
}
