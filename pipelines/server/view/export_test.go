package view

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestExport_csv: both tables have the same rows, and only the one for spreadsheets begins with a byte order mark.
func TestExport_csv(t *testing.T) {
	v := pagesOf(t, nil, func(_ int, d *schemas.Document) { d.Title = "Größe, Ἀθῆναι" })
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	texts := map[string]string{}
	for _, format := range []string{"csv", "csv-bom"} {
		e, err := v.Export(ctx, ExportRequest{Format: format, Fields: "url,title"})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := e.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		e.Close()
		texts[format] = b.String()
		if !strings.HasSuffix(e.Name, ".csv") || !strings.HasPrefix(e.Type, "text/csv") {
			t.Errorf("%s: %s of type %s", format, e.Name, e.Type)
		}
	}
	if texts["csv-bom"] != "\ufeff"+texts["csv"] || !strings.Contains(texts["csv"], "Größe, Ἀθῆναι") {
		t.Errorf("csv %.60q, csv-bom %.60q", texts["csv"], texts["csv-bom"])
	}
}

// TestExport_name: a file is named after its search.
func TestExport_name(t *testing.T) {
	for _, tt := range []struct {
		r    SearchRequest
		want string
	}{
		{SearchRequest{}, "out"},
		{SearchRequest{Query: "bridge"}, "out-bridge"},
		{SearchRequest{Query: `"fish auction" AND mime:pdf`, Lang: "fr"}, "out-fish-auction-AND-mime-pdf-fr"},
		{SearchRequest{Query: "../../etc/passwd\x00\r\n"}, "out-etc-passwd"},
		{SearchRequest{Query: "Größe الرصيف", Year: "2019"}, "out-Größe-الرصيف-2019"},
		{SearchRequest{MIME: "text/html", Host: none}, "out-text-html"},
		{SearchRequest{Query: strings.Repeat("ab ", 50)}, "out" + strings.Repeat("-ab", 20)},
	} {
		if got := (ExportRequest{SearchRequest: tt.r}).name("out"); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.r, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for value, want := range map[string]string{
		"MAINSTREAM_NEWS": "mainstream news", "WEBLOG": "weblog", "SOCIAL_MEDIA": "social media", "": "",
	} {
		if got := Plain(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
