package page

import "testing"

// TestLang_late: the attributes of <html> count wherever its tag is, as the standard says.
func TestLang_late(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"first", `<html lang=de><p>a`, "de"},
		{"after a warning", `<br /><b>Warning</b>: mysql_connect()<br /><!DOCTYPE html><html lang="de"><head><title>a`, "de"},
		{"after a second byte order mark", "\ufeff\ufeff<!DOCTYPE html><html lang=fr><body>", "fr"},
		{"after an element of the head", `<title>a</title><html lang=fr>`, "fr"},
		{"in a table", `<table><tr><td>a<html xml:lang=nl>`, "nl"},
		{"second, after one without attributes", `<html><body><p>a<html lang=it><p>b`, "it"},
		{"second before the body", `<html><html lang=it><p>b`, "it"},
		{"second after one with another", `<html lang=de><body><p>a<html lang=it>`, "de"},
		{"in a template", `<p>a<template><html lang=it></template>`, ""},
		{"in a picture", `<svg><html lang=it></svg>`, ""},
		{"in a text area", `<textarea><html lang=it></textarea>`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.src), Options{}).Lang(); got != tt.want {
				t.Errorf("Lang of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// TestLang_pragma: section 4.2.5.3 of the standard, "pragma-set default language".
func TestLang_pragma(t *testing.T) {
	const pragma = `<meta http-equiv="Content-Language" content="pl">`
	for _, tt := range []struct{ name, src, want string }{
		{"alone", "<head>" + pragma, "pl"},
		{"with lang", "<html lang=de>" + pragma, "de"},
		{"with an empty lang", "<html lang=''>" + pragma, "pl"},
		{"with xml:lang", "<html xml:lang=de>" + pragma, "de"},
		{"several words", `<meta content=" de-AT  en " http-equiv=content-language>`, "de-AT"},
		{"several languages", `<meta http-equiv=content-language content="de, en">`, ""},
		{"no content", `<meta http-equiv=content-language>`, ""},
		{"the last counts", pragma + `<meta http-equiv=content-language content=cs>`, "cs"},
		{"a list after it", pragma + `<meta http-equiv=content-language content="cs,sk">`, "pl"},
		{"in the body", "<p>a" + pragma, "pl"},
		{"a name", "<meta name=content-language content=pl>", ""},
		{"in a template", "<template>" + pragma + "</template>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.src), Options{}).Lang(); got != tt.want {
				t.Errorf("Lang of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}
