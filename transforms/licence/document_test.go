package licence

import (
	"fmt"
	"strings"
	"testing"
)

// TestExtractDocument: documents state licences in their metadata and in notices, as pages do.
func TestExtractDocument(t *testing.T) {
	const article = "The harbours of Wrenmouth\n\nWe asked the people of the harbour what they do in winter.\n\n"
	const by = "https://creativecommons.org/licenses/by/4.0/"
	long := strings.Repeat("The harbour has lights, quays and a bridge.\n\n", 4000)
	for _, tt := range []struct{ name, rights, text, want string }{
		{"a notice in two lines", "", article + "This is an open access article distributed under the terms of the " +
			"Creative\nCommons Attribution License (CC BY 4.0).", "CC-BY-4.0 page text"},
		{"a notice with a link", "", article + "© 2021 The Authors. This is an open access article under the CC BY-NC-ND\n" +
			"license (http://creativecommons.org/licenses/by-nc-nd/4.0/).", "CC-BY-NC-ND-4.0 page link"},
		{"German", "", article + "Dieses Werk ist lizenziert unter einer Creative Commons Namensnennung 4.0\nInternational " +
			"Lizenz.", "CC-BY-4.0 page text"},
		{"a report", "", "This report is licensed under the Open Government Licence v3.0.", "OGL-UK-3.0 page text"},
		{"at the end of a book", "", long + "This book is licensed under CC BY-SA 4.0.", "CC-BY-SA-4.0 page text"},
		{"in the middle of a book", "", long + "This book is licensed under CC BY-SA 4.0.\n\n" + long, ""},
		{"on a second page", "", article + "\fThis book is licensed under CC BY 4.0.", "CC-BY-4.0 page text"},
		{"reserved", "", article + "© 2019 Example Press. All rights reserved.", "LicenseRef-AllRightsReserved page text"},
		{"code", "", "/* Copyright 2019 Ann Lee. All rights reserved.\n *\n * Redistribution is permitted. */\nint x;", ""},
		{"code with a licence", "", "# Copyright Ann Lee. All rights reserved.\n# See the file LICENSE.\n\nx = 1", ""},
		{"a URL in the metadata", by, article, "CC-BY-4.0 page meta"},
		{"a sentence in the metadata", "Licensed under Creative Commons Attribution 4.0", article, "CC-BY-4.0 page meta"},
		{"other rights", "© Ann Lee", article, ""},
		{"the metadata and the text", by, article + "This article is under CC BY 4.0, its licence.", "CC-BY-4.0 page meta"},
		{"a picture", "", article + "Photo of the bridge: Ann Lee, licensed under CC BY 4.0.", "CC-BY-4.0 picture text"},
		{"about licences", "", "This compares the licences CC BY 4.0, CC BY-SA 4.0, CC BY-ND 4.0 and CC0 1.0.", ""},
		{"markup in the text", "", "<a href=" + by + ">License: x</a>", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Document{Text: tt.text}
			if tt.rights != "" {
				d.Rights = []string{tt.rights}
			}
			var got []string
			for _, l := range ExtractDocument(d) {
				got = append(got, fmt.Sprint(l.Name, " ", l.Scope, " ", l.Basis))
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestExtractDocument_invalid: bytes that are not UTF-8 do no harm.
func TestExtractDocument_invalid(t *testing.T) {
	for _, text := range []string{strings.Repeat("\x80", 200_000), strings.Repeat("é", 100_000)} {
		if got := ExtractDocument(Document{Text: text}); got != nil {
			t.Errorf("%v", got)
		}
	}
}

func FuzzExtractDocument(f *testing.F) {
	f.Add("Licensed under CC BY 4.0", "Report licensed under https://creativecommons.org/licenses/by/4.0/.\n\n\f<p>")
	f.Fuzz(func(t *testing.T, rights, text string) {
		if got := ExtractDocument(Document{Rights: []string{rights}, Text: text}); len(got) > maxLicenses {
			t.Errorf("%d licences", len(got))
		}
	})
}
