package message_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/message"
)

const (
	wordFile = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"----=_Part_01\"\r\n\r\n" +
		"This document is a Single File Web Page.\r\n\r\n------=_Part_01\r\nContent-Location: file:///C:/x.htm\r\n" +
		"Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/html; charset=\"windows-1252\"\r\n\r\n" +
		"<html><body><p title=3D\"x\">caf=E9 and =\r\nmore</p></body></html>\r\n------=_Part_01\r\nContent-Type: " +
		"image/png\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n------=_Part_01--\r\n"
	blinkFile = "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/a/\nSubject: " +
		"=?utf-8?Q?Caf=C3=A9?=\n" +
		"MIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype=\"text/html\";\n\tboundary=\"--b--\"\n\n\n----b--\n" +
		"Content-Type: text/css\nContent-Location: cid:css\n\na{}\n----b--\nContent-Type: text/html\n" +
		"Content-Location: https://example.org/a/\nContent-Transfer-Encoding: base64\n\n%s\n----b----\n"
	sheetFile = "MIME-Version: 1.0\nX-Document-Type: Workbook\nContent-Type: multipart/related; boundary=b\n\n--b\n" +
		"Content-Type: text/html\n\n" +
		"<html><frameset rows='*'><frame src=s1.htm></frameset></html>\n--b\nContent-Type: text/html\nContent-Location: " +
		"s1.htm\n\n" +
		"<table><tr><td>much more in a sheet of cells</td><td>than in the frame of it, and in another one as well</td>" +
		"</tr></table>\n--b--"
)

func TestPage(t *testing.T) {
	html := "<html><p>Zürich</p></html>"
	tests := []struct{ name, body, want, contentType, location string }{
		{
			"of Word", wordFile, "<html><body><p title=\"x\">caf\xE9 and more</p></body></html>\r\n",
			`text/html; charset="windows-1252"`, "file:///C:/x.htm",
		},
		{
			"of a browser", strings.Replace(blinkFile, "%s", base64.StdEncoding.EncodeToString([]byte(html)), 1), html,
			"text/html", "https://example.org/a/",
		},
		{"of Excel, with a frame", sheetFile, "<table><tr><td>much more in a sheet of cells</td><td>than in the frame of " +
			"it, and in another one as well</td></tr></table>\n", "text/html", "s1.htm"},
		{
			"named as the start", "Content-Type: multipart/related; boundary=x; start=\"<two>\"\n\n--x\nContent-Type: " +
				"text/html\nContent-ID: <one>\n\n1\n" +
				"--x\nContent-Type: text/html\nContent-ID: <two>\n\n2\n--x--", "2\n", "text/html", "",
		},
		{
			"parts in parts", "Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: multipart/alternative; " +
				"boundary=y\n\n--y\nContent-Type: text/plain\n\nno\n--y\nContent-Type: text/html\n\nyes\n--y--\n--x--", "yes\n",
			"text/html", "",
		},
		{
			"cut", wordFile[:strings.Index(wordFile, " and =")], "<html><body><p title=\"x\">caf\xE9",
			`text/html; charset="windows-1252"`, "file:///C:/x.htm",
		},
		{
			"a boundary that is broken", strings.Replace(wordFile, `boundary="----=_Part_01"`, "boundary=----=_Part_01; =", 1),
			"<html><body><p title=\"x\">caf\xE9 and more</p></body></html>\r\n", `text/html; charset="windows-1252"`,
			"file:///C:/x.htm",
		},
		{"no page", "Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/plain\n\nno\n--x--", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, contentType, location := message.Page([]byte(tt.body))
			if diff := cmp.Diff([]string{tt.want, tt.contentType, tt.location},
				[]string{string(got), contentType, location}); diff != "" {
				t.Errorf("Page (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRead(t *testing.T) {
	tests := []struct {
		name, body string
		want       doctext.Document
	}{
		{
			"plain", "From: Ada Quay <ada@example.org>\r\nTo: ben@example.org\r\nSubject: Tides\r\n of today\r\nDate: Tue, " +
				"16 Jul 2019 10:20:30 +0200\r\n\r\nHigh water\r\nat noon.\r\n",
			doctext.Document{
				Title: "Tides of today", Authors: []string{"Ada Quay"}, Created: "2019-07-16T10:20:30+02:00",
				Text: "High water\nat noon.",
			},
		},
		{
			"encoded", "From: =?iso-8859-1?Q?J=F6rg?= <j@example.org>\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\nContent-Type: " +
				"text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nSch=F6ne=\n Gr=FC=DFe",
			doctext.Document{Title: "Grüße", Authors: []string{"Jörg"}, Text: "Schöne Grüße"},
		},
		{
			"HTML alone", "Subject: News\nFrom: list@example.org\nX-Mailer: Quay 3\nContent-Type: text/html; charset=utf-8\n" +
				"\n<style>p{}</style><p>One</p><p>Two &amp; three</p>",
			doctext.Document{
				Title: "News", Authors: []string{"list@example.org"}, Generator: "Quay 3",
				Text: "One\nTwo & three",
			},
		},
		{
			"alternatives and an attachment", "Subject: S\nContent-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: " +
				"multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\nonce\n" +
				"--a\nContent-Type: text/html\n\n<p>once</p>\n--a--\n--m\nContent-Type: text/plain\nContent-Disposition: " +
				"attachment; filename=a.txt\n\nno\n--m\nContent-Type: text/plain\n\nfooter\n--m--",
			doctext.Document{Title: "S", Text: "once\n\nfooter"},
		},
		{
			"a message in it", "Subject: Fwd\nContent-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: text/plain\n\n" +
				"see below\n--m\nContent-Type: message/rfc822\n\nSubject: Inner\n\ninner text\n--m--",
			doctext.Document{Title: "Fwd", Text: "see below\n\nInner\n\ninner text"},
		},
		{
			"of Apple's Mail", "62\nSubject: One\nFrom: \"Ben\" <b@example.org>\n\ntext in base\n<?xml version=\"1.0\"?>",
			doctext.Document{Title: "One", Authors: []string{"Ben"}, Text: "text in base\n<?xml version=\"1.0\"?>"},
		},
		{
			"news", "Path: a!b\nFrom: ben@example.org (Ben Pier)\nNewsgroups: x.y\nSubject: Re: z\n\nyes",
			doctext.Document{Title: "Re: z", Authors: []string{"Ben Pier"}, Text: "yes"},
		},
		{"broken fields", "Subject: a\nno field here\nmore", doctext.Document{Title: "a", Text: "no field here\nmore"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := message.Read([]byte(tt.body), doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
	if d, err := message.Read([]byte("no message"), doctext.Options{}); err == nil {
		t.Errorf("Read of a text = %+v, want an error", d)
	}
}

// TestRead_limits limits the cost of hostile messages: nested parts, many parts, long text.
func TestRead_limits(t *testing.T) {
	deep := ""
	for range 1000 {
		deep += "Content-Type: multipart/mixed; boundary=x\n\n--x\n"
	}
	for name, body := range map[string]string{
		"parts in parts": deep, "many parts": "Content-Type: multipart/mixed; boundary=x\n\n" +
			strings.Repeat("--x\n\na\n", 100_000),
		"many fields": strings.Repeat("A: b\n", 100_000), "a long field": "A: b\n" + strings.Repeat(" c\n", 100_000),
		"messages in messages": strings.Repeat("Content-Type: message/rfc822\n\n", 10_000) + "x",
	} {
		d, err := message.Read([]byte(body), doctext.Options{MaxText: 1000})
		if err != nil || len(d.Text) > 1000 {
			t.Errorf("%s: Read = %d bytes, %v", name, len(d.Text), err)
		}
	}
}

// TestRead_appended reads base64 with plain text after it, as mailing lists append it.
func TestRead_appended(t *testing.T) {
	code := base64.StdEncoding.EncodeToString
	const greeting, footer = "Grüße aus Köln, bei gutem Wetter.", "____\r\nlist mailing list\r\nlist@example.org"
	lines := strings.ReplaceAll(footer, "\r", "")
	for name, tt := range map[string]struct{ body, want string }{
		"padding":           {code([]byte(greeting)) + "\r\n" + footer, greeting + "\n" + lines},
		"no padding":        {code([]byte("Grüße...")) + "\n-- \nUnsubscribe", "Grüße...\n-- \nUnsubscribe"},
		"a word":            {code([]byte("Köln")) + "\nUnsubscribe", "Köln\nUnsubscribe"},
		"a URL":             {code([]byte("Köln")) + "\n\nhttps://example.org/?a=b", "Köln\nhttps://example.org/?a=b"},
		"two chunks":        {code([]byte("Köln")) + "\n" + code([]byte(" und Bonn")), "Köln und Bonn"},
		"stray characters":  {strings.Replace(code([]byte(greeting)), "I", "!I", 1), greeting},
		"lines":             {strings.ReplaceAll(code([]byte(greeting)), "I", "I\r\n"), greeting},
		"cut in a group":    {code([]byte("Koeln am Rhein"))[:14], "Koeln am R"},
		"nothing but lines": {footer, strings.ReplaceAll(footer, "\r", "")},
	} {
		d, err := message.Read([]byte("Subject: a\nContent-Type: text/plain; charset=utf-8\n"+
			"Content-Transfer-Encoding: base64\n\n"+tt.body), doctext.Options{})
		if err != nil || d.Text != tt.want {
			t.Errorf("%s: Read = %q, %v, want %q", name, d.Text, err, tt.want)
		}
	}
}

// TestRead_otherTexts reads parts of other types of text, and tells when nothing is read.
func TestRead_otherTexts(t *testing.T) {
	const mixed = "multipart/alternative; boundary=b\n\n--b\nContent-Type: "
	for body, want := range map[string]string{
		"text/enriched\n\nHello":                   "Hello",
		"text/richtext\n\nHello":                   "Hello",
		"text/markdown\n\n# Hello":                 "# Hello",
		"text/x-unknown; a\n\nHello":               "Hello",
		"text/x-amp-html\n\n<p>Hello":              "Hello",
		"text/calendar\n\nBEGIN:X":                 "unsupported",
		"application/pdf\n\n%PDF":                  "unsupported",
		"text/plain\n\n ":                          "",
		mixed + "image/png\n\nx\n--b--":            "unsupported",
		mixed + "text/calendar\n\nx\n--b\n\nHello": "Hello",
		mixed + "text/enriched\n\n<b>Hi\n--b\nContent-Type: text/html\n\n<p>Hello": "Hello",
	} {
		d, err := message.Read([]byte("Subject: a\nContent-Type: "+body), doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := d.Text
		for _, p := range d.Problems {
			got += string(p.Kind)
		}
		if got != want {
			t.Errorf("Read(%q) = %q with %v, want %q", body, d.Text, d.Problems, want)
		}
	}
}

// TestRead_onlyAttachments: a message without text says what it has instead.
func TestRead_onlyAttachments(t *testing.T) {
	const attached = "\nContent-Disposition: attachment; filename=a\n"
	const mixed = "multipart/mixed; boundary=b\n\n--b\nContent-Type: "
	for body, want := range map[string]string{
		mixed + "application/pdf" + attached + "\n%PDF\n--b--":                    "unsupported application/pdf",
		mixed + "text/plain" + attached + "\nnotes\n--b--":                        "unsupported text/plain",
		"application/pdf" + attached + "\n%PDF":                                   "unsupported application/pdf",
		"application/pkcs7-mime; smime-type=enveloped-data" + attached + "\nMIAG": "encrypted application/pkcs7-mime",
		"application/x-pkcs7-mime" + attached + "\nMIAG":                          "encrypted application/x-pkcs7-mime",
		"application/pkcs7-mime; smime-type=signed-data" + attached + "\nMIAG":    "unsupported application/pkcs7-mime",
		"multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n" +
			"Content-Type: application/octet-stream\n\n-----BEGIN\n--b--": "encrypted application/pgp-encrypted",
		"text/plain" + attached + "\nHello":                                  "Hello",
		"text/html" + attached + "\n<p>Hello":                                "Hello",
		mixed + "application/pdf" + attached + "\n%PDF\n--b\n\nHello\n--b--": "Hello",
	} {
		d, err := message.Read([]byte("Subject: a\nContent-Type: "+body), doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := d.Text
		for _, p := range d.Problems {
			got += string(p.Kind) + " " + strings.TrimPrefix(p.Message, "the message has no text but ")
		}
		if got != want {
			t.Errorf("Read(%q) = %q, want %q", body, got, want)
		}
	}
}

// TestRead_noFields: a part that begins with a blank line has no fields.
func TestRead_noFields(t *testing.T) {
	const mixed = "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	const lines = "http://example.org/a\nNote: bring a coat\n\nThe rest."
	const digest = "Subject: a\nContent-Type: multipart/digest; boundary=b\n\n--b\n"
	for body, want := range map[string]string{
		mixed + "\n" + lines + "\n--b--":                                              lines,
		mixed + "\n\nContent-Type: image/png\n\nSGk=\n--b--":                          "Content-Type: image/png\n\nSGk=",
		mixed + "Content-Type: text/plain\n\n\n" + lines + "\n--b--":                  lines,
		mixed + "Content-Transfer-Encoding: base64\n\nSGk=\n--b--":                    "Hi",
		"\n\n" + mixed + "\n" + lines + "\n--b--":                                     lines,
		digest + "\nSubject: one\n\ntext one\n--b\n\nSubject: two\n\ntext two\n--b--": "one\n\ntext one\n\ntwo\n\ntext two",
		digest + "Content-Type: text/plain\n\nSubject: one\n--b--":                    "Subject: one",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			d, err := message.Read([]byte(strings.ReplaceAll(body, "\n", end)), doctext.Options{})
			if err != nil || d.Text != want || d.Title != "a" {
				t.Errorf("Read(%q) = %q, %v, want %q", body, d.Text, err, want)
			}
		}
	}
}

// TestRead_likeMailbox: lines that begin as those of mailboxes, and marks within lines, take linear time, and
// not quadratic time.
func TestRead_likeMailbox(t *testing.T) {
	first := "From " + strings.Repeat("a", 60_000) + " Mon Jan  5 10:00:00 2004\nSubject: a\n"
	for name, body := range map[string]string{
		"lines": first + "\n" + strings.Repeat("From x\n", 100_000),
		"marks": "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" + strings.Repeat("x--b", 500_000),
	} {
		d, err := message.Read([]byte(body), doctext.Options{})
		if err != nil || d.Title != "a" || len(d.Text) < 600_000 {
			t.Errorf("%s: title %q, %d bytes, %v", name, d.Title, len(d.Text), err)
		}
	}
}

// TestRead_likeBoundaries reads inner parts whose boundary begins with the outer one.
func TestRead_likeBoundaries(t *testing.T) {
	for inner, end := range map[string]string{
		"b1alt": "--b1--", "b1--x": "--b1--  ", "b1 x": "--b1--\r", "b1=": "--b1-- \t", "b2": "",
	} {
		body := "Subject: a\nContent-Type: multipart/mixed; boundary=b1\n\n--b1\nContent-Type: multipart/alternative; " +
			"boundary=\"" + inner + "\"\n\n--" + inner + "\n\nonce\n--" + inner + "\nContent-Type: text/html\n\n<p>twice\n--" +
			inner + "--\n\n--b1 \t\n\nfooter\n" + end + "\n"
		d, err := message.Read([]byte(body), doctext.Options{})
		if err != nil || d.Text != "once\n\nfooter" {
			t.Errorf("inner boundary %q: Read = %q, %v", inner, d.Text, err)
		}
	}
}

// TestRead_mailbox reads all messages of a mailbox.
func TestRead_mailbox(t *testing.T) {
	const first = "From ada at example.org  Mon May  3 10:00:00 2004\nFrom: ada at example.org (Ada)\nSubject: Tides\n\n" +
		"High water.\nFrom here on: low.\n\n"
	const second = "From ben@example.org Tue May  4 11:00:00 2004\nSubject: Re: Tides\n\nYes.\n"
	for _, end := range []string{"\n", "\r\n"} {
		for body, want := range map[string]string{
			first:          "High water.\nFrom here on: low.",
			first + second: "High water.\nFrom here on: low.\n\nRe: Tides\n\nYes.",
		} {
			d, err := message.Read([]byte(strings.ReplaceAll(body, "\n", end)), doctext.Options{})
			if err != nil || d.Text != want || d.Title != "Tides" {
				t.Errorf("Read(%q) = %q, %q, %v, want %q", body, d.Title, d.Text, err, want)
			}
		}
	}
	d, err := message.Read([]byte(strings.Repeat(second, 5000)), doctext.Options{})
	if err != nil || len(d.Problems) != 1 || d.Problems[0].Kind != doctext.KindLimit {
		t.Errorf("Read of 5,000 messages has problems %v, %v", d.Problems, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(wordFile))
	f.Add([]byte(blinkFile))
	f.Add([]byte(sheetFile))
	f.Add([]byte("From a\nSubject: =?utf-8?B?R3LD?=\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n" +
		"\nQQ==="))
	f.Fuzz(func(t *testing.T, body []byte) {
		const maxText = 1000
		message.Page(body)
		d, err := message.Read(body, doctext.Options{MaxText: maxText})
		if err == nil && (len(d.Text) > maxText || !utf8.ValidString(d.Text) || !utf8.ValidString(d.Title)) {
			t.Errorf("Read(%q) = %+v", body, d)
		}
	})
}
