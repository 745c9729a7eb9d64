package mend_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/mend"
)

func TestScheme(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.example/":  "http://a.example/",
		"HTTPS://a.example/": "HTTPS://a.example/",
		"ftp://a.example/":   "ftp://a.example/",
		"ttp://a.example/":   "http://a.example/",
		"tp://a.example/":    "http://a.example/",
		"p://a.example/":     "http://a.example/",
		"ttps://a.example/":  "https://a.example/",
		"ps://a.example/":    "https://a.example/",
		"s://a.example/":     "https://a.example/",
		"://a.example/":      "http://a.example/",
		"hxtp://a.example/":  "http://a.example/",
		"htttp://a.example/": "http://a.example/",
		"http:/a.example/":   "http://a.example/",
		"https:/a.example/":  "https://a.example/",
		"http//a.example/":   "http://a.example/",
		"https//a.example/":  "https://a.example/",
		"http:///a.example/": "http:///a.example/",
		"http:a.example":     "http:a.example",
		"s3://bucket/name":   "s3://bucket/name",
		"gs://bucket/name":   "gs://bucket/name",
		"dns:a.example":      "dns:a.example",
		"urn:uuid:1-2":       "urn:uuid:1-2",
		"://":                "://",
		"":                   "",
	} {
		got, damaged := mend.Scheme(url)
		if got != want || damaged != (url != want) {
			t.Errorf("Scheme(%q) = %q, %t; want %q", url, got, damaged, want)
		}
	}
}
