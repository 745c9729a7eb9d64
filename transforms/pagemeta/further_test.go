package pagemeta

import "testing"

// TestExtract_ordinaryDates: second dates that are of something else, and ones that are of the article.
func TestExtract_ordinaryDates(t *testing.T) {
	for html, want := range map[string]string{
		"Updated May 1, 2024. Next date of the conference: June 5, 2024":       "2024-05-01",
		"Updated: May 1, 2024 | Publication date of the book: March 3, 1999":   "2024-05-01",
		"Updated: May 1, 2024 | Conference date: March 3, 2024":                "2024-05-01",
		"Updated: May 1, 2024 | Published in Nature: March 3, 2024":            "2024-05-01",
		"Updated: May 1, 2024 | Published: June 5, 2024":                       "2024-05-01",
		"Aktualisiert: 1. Mai 2024. Nächstes Datum des Treffens: 5. Juni 2024": "2024-05-01",
		"更新：2024年5月1日　発表会：2024年3月10日":                                          "2024-05-01",
		"更新日：2024年5月1日　公開日：2024年3月10日":                                         "2024-03-10",
		"Updated May 1, 2024 (originally published on March 10, 2024)":         "2024-03-10",
		"Mis à jour le 1 mai 2024 - Publié le : 10 mars 2024":                  "2024-03-10",
		"Updated May 1, 2024 | Published March 10, 2024":                       "2024-03-10",
	} {
		if got := extract(titled + "<p>" + html + "</p>").Published; got != want {
			t.Errorf("published of %q is %s, want %s", html, got, want)
		}
	}
}

// TestLabelOf_ordinaryWords: words with which no label begins.
func TestLabelOf_ordinaryWords(t *testing.T) {
	for text, want := range map[string]label{
		"انتشار كورونا في ": labelNone, "تاریخ انتشار: ": labelPublished,
		"egunero ": labelNone, "eguneratua: ": labelUpdated,
		"pubblicità ": labelNone, "pubblicato il ": labelPublished,
		"публика ": labelNone, "публикувано на ": labelPublished, "опубликовано ": labelPublished,
		"objav ": labelNone, "objavljeno ": labelPublished,
		"بروز ": labelNone, "آخر تعديل ": labelUpdated, "تعديل الدستور في ": labelNone,
		"του δημοσίου ": labelNone, "δημοσιεύτηκε: ": labelPublished,
	} {
		if got := labelOf(text); got != want {
			t.Errorf("labelOf(%q) = %d, want %d", text, got, want)
		}
	}
}

// Names of <meta> that say that a date is of the publication or of the last change, as sites write them.
func TestExtract_namesOfDates(t *testing.T) {
	const published, modified, other = "2021-03-04", "2022-05-06", "2019-01-02"
	const known = `<meta name="pubdate" content="` + published + `">`
	for _, name := range []string{
		"dc.issued", "DC.Created", "published", "published_at", "published_date", "published-time", "publishedDate",
		"og:publish_date", "cxenseparse:publishtime",
	} {
		m := extract(`<meta name="` + name + `" content="` + published + `">`)
		if m.Published != published || m.Modified != "" {
			t.Errorf("meta %s: published %q, modified %q, want %q alone", name, m.Published, m.Modified, published)
		}
		// Names that are known longer stay ahead, in any order.
		m = extract(`<meta name="` + name + `" content="` + other + `">` + known)
		if m.Published != published {
			t.Errorf("meta %s before pubdate: %q, want %q", name, m.Published, published)
		}
	}
	for _, name := range []string{
		"lastmodified", "Last-Updated", "updated_at", "modified_date", "modified-date", "og:modified_time",
	} {
		m := extract(`<meta name="` + name + `" content="` + modified + `">` + known)
		if m.Published != published || m.Modified != modified {
			t.Errorf("meta %s: published %q, modified %q, want %q, %q", name, m.Published, m.Modified, published, modified)
		}
	}
	// Other names say nothing of the page. A date has digits.
	for _, meta := range []string{
		`<meta name="published" content="true">`, `<meta name="published_at" content="Oslo">`,
		`<meta name="msvalidate.01" content="2021-03-04">`, `<meta name="generator" content="2021-03-04">`,
		`<meta name="copyright" content="2021-03-04">`, `<meta name="expires" content="2021-03-04">`,
	} {
		if m := extract(meta); m.Published != "" || m.Modified != "" {
			t.Errorf("%s: published %q, modified %q, want none", meta, m.Published, m.Modified)
		}
	}
}
