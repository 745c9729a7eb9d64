package pagemeta

import (
	"strings"
	"testing"
)

// TestLabelOf_otherDays: labels with a word for date that name the day of a person, a membership, an event or an order.
func TestLabelOf_otherDays(t *testing.T) {
	for _, text := range []string{
		"Next start: ", "Check-in: ", "Filing date: ", "Built: ", "Received ", "Argued ", "Start: ", "Fin : ",
		"When: ", "Wann: ", "Когда: ", "Available from ", "Erhältlich ab ", "Disponible desde el ",
		"Join Date: ", "Registration date ", "Date of birth: ", "Due date ", "Event date: ", "Closing date ",
		"Expiration date: ", "Delivery date: ", "Date of experience: ", "Arrival: ", "Geburtsdatum: ",
		"Anmeldedatum ", "Ablaufdatum: ", "Geboortedatum ", "Fødselsdato: ", "Date de naissance : ",
		"Date limite ", "Date de l’événement ", "Fecha de nacimiento: ", "Fecha límite ", "Data di scadenza: ",
		"Data de validade ", "Дата рождения: ", "Дата регистрации ", "Data urodzenia: ", "Doğum tarihi: ",
		"تاريخ الميلاد: ", "תאריך לידה: ", "生年月日：", "生年月日: ", "注册时间：", "到期时间 ", "開催日：", "개최 행사 일시: ", "가입일 ",
		"Last seen: ", "last login on ", "Zuletzt online: ", "Dernière visite : ",
		"Última visita ", "Последний визит: ", "上次登录：", "最終ログイン：", "Read more. Date of birth: ",
		"Posts: 12 | Join date: ",
	} {
		if got := labelOf(text); got != labelOther {
			t.Errorf("labelOf(%q) = %d, want another day", text, got)
		}
	}
	for _, text := range []string{
		"Date: ", "Datum ", "Fecha: ", "Data: ", "Дата ", "Tarih: ", "时间：", "Post date: ", "Date added ",
		"Article date ", "Published, event date ", "Thread starter Bob · Start date ", "Fecha de inicio ",
		"Дата начала ", "Veröffentlichungsdatum ", "Erscheinungsdatum: ", "Publicatiedatum ", "发布时间：", "公開日：",
		"Born in Bonn. Date: ", "Registration is free | Date: ", "date on which we had to join the big club ",
	} {
		if got := labelOf(text); got != labelPublished {
			t.Errorf("labelOf(%q) = %d, want published", text, got)
		}
	}
	for _, text := range []string{
		"By John Smith, event reporter, ", "Order of the day ", "When he came, ", "Kaufhaus ", "活動報告 ", "작성일 ", "",
	} {
		if got := labelOf(text); got != labelNone {
			t.Errorf("labelOf(%q) = %d, want none", text, got)
		}
	}
}

// TestExtract_otherDays: no day of something else on a page is that of publication, whatever the markup.
func TestExtract_otherDays(t *testing.T) {
	for _, label := range []string{"Join Date", "Geburtsdatum", "Date de naissance", "生年月日", "到期时间"} {
		for _, html := range []string{
			"<p>%: 2019-05-03</p>", "<dl><dt>%</dt><dd>2019-05-03</dd></dl>",
			"<tr><th>%</th><td>2019-05-03</td></tr>",
			"<p>%: <time datetime=2019-05-03>3 May 2019</time></p>", "<span>%</span> <span>2019-05-03</span>",
		} {
			html = strings.ReplaceAll(html, "%", label)
			if m := extract(titled + html); m.Published != "" || m.Modified != "" {
				t.Errorf("%s: published %q, modified %q, want none", html, m.Published, m.Modified)
			}
		}
	}
}

// TestExtract_ranges: the ends of a life, a trip or an event are not the day of the page.
func TestExtract_ranges(t *testing.T) {
	for html, want := range map[string]string{
		"<p>March 3, 1950 – May 12, 2023</p><p>Published on May 15, 2023.</p>":      "2023-05-15",
		"<p>12 May 2023 to 14 May 2023</p>":                                         "",
		"<p>Vom 12. Mai 2023 bis 14. Mai 2023</p>":                                  "",
		"<p>2023年5月12日～2023年5月14日</p>":                                              "",
		"<p>Du 12 mai 2023 au 14 mai 2023</p>":                                      "",
		"<p>Received 1 March 2022; accepted 12 May 2022; published 3 June 2022</p>": "2022-06-03",
		"<p>Filing date: 2018-01-02</p><p>Publication date: 2019-05-12</p>":         "2019-05-12",
		"<p>Budget 2023 – May 12, 2023</p>":                                         "2023-05-12",
		"<p>Issue 12 – May 12, 2023</p>":                                            "2023-05-12",
		"<p>May 12, 2023 – 3 min read</p>":                                          "2023-05-12",
		"<p>May 12, 2023 - Updated May 14, 2023</p>":                                "2023-05-12",
		"<p>May 12, 2023 | 12 comments to this</p>":                                 "2023-05-12",
	} {
		if got := extract(titled + html).Published; got != want {
			t.Errorf("%s: published %q, want %q", html, got, want)
		}
	}
}

// TestLabelOf_ordinaryLabels: words of otherDays and the like that are not in the label of the date.
func TestLabelOf_ordinaryLabels(t *testing.T) {
	for text, want := range map[string]label{
		"Views:123 Date: ": labelPublished, "Visits: 123 Date: ": labelPublished, "Category: Events Date: ": labelPublished,
		"Shipping News - Date: ": labelPublished, "Registered nurses, date ": labelPublished,
		"Source: Order desk Date: ": labelPublished, "Kategorie: Veranstaltungen Datum: ": labelPublished,
		"Posts: 12 Join date: ": labelOther, "Delivered: 3, delivery date: ": labelOther,
		"Time: ": labelNone, "Views:123 Time: ": labelNone, "Share this event: ": labelNone,
		"Check out our news – ": labelNone, "In stock market news, ": labelNone, "Town received funds – ": labelNone,
		"Now available on Netflix, ": labelNone, "Received on ": labelOther, "Now available on ": labelOther,
		"Manuscript accepted: ": labelOther, "Disponible à partir du ": labelOther, "Last seen on ": labelOther,
	} {
		if got := labelOf(text); got != want {
			t.Errorf("labelOf(%q) = %d, want %d", text, got, want)
		}
	}
}
