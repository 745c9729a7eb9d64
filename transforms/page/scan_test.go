package page

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// tags lists the tags of src as our scanner and as x/net's tokenizer see them.
func tags(src []byte) (ours, theirs []string) {
	s := scanner{src: src, maxAttrs: 4}
	for s.next() {
		switch name := string(bytes.ToLower(src[s.tok.name.start:s.tok.name.end])); s.tok.kind {
		case startToken:
			ours = append(ours, "<"+name)
		case endToken:
			ours = append(ours, "</"+name)
		}
	}
	z := html.NewTokenizer(bytes.NewReader(src))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		prefix := map[html.TokenType]string{html.StartTagToken: "<", html.SelfClosingTagToken: "<", html.EndTagToken: "</"}[kind]
		if prefix == "" {
			continue
		}
		name := bytes.ToLower(z.Raw()[len(prefix):]) // TagName would decode it
		theirs = append(theirs, prefix+string(name[:bytes.IndexAny(name, " \t\n\f\r/>")]))
	}
	return ours, theirs
}

var scanCases = []string{
	"<p>a<b>c</b></p>", "<p a=1 b='>' c=\">\" d=/>", "<p/>", "<p / a>", "<a =b>", "<a b= >c>", "<a/b/c=d>e",
	"a < b <c> d", "</>x</3>y<?php > z", "<!doctype html><!-- <b> --><i>", "<!--><b>-->", "<!---><b>-->",
	"<!-- --!><b>", "<!-- -- ><b>--><i>", "<script>a</script><b>", "<script>if (a<b) </scripty></script><b>",
	"<script><!--<script></script>--></script><b>", "<script><!--</script><b>", "<script><!--><script></script><b>",
	"<script><!-- <a> <script> --></script><b>", "<title><b></title><i>", "<textarea></textareaX></textarea ><b>",
	"<style><b></style><noscript><b></noscript><xmp><b></xmp><iframe><b></iframe><i>", "<plaintext></plaintext><b>",
	"<a b='c", "<a", "</", "<", "<a b", "</a b='>'>c", "<TITLE></title><B>", "<![CDATA[ <b> ]]><i>", "<!", "<!x><b>",
	"<script><!-- < --><script></script>--></script><b>", "<script><!-- -></script><b>", "<a\x00b c\x00=d><b>",
}

func TestScanner_agreesWithTokenizer(t *testing.T) {
	for _, src := range scanCases {
		ours, theirs := tags([]byte(src))
		if a, b := strings.Join(ours, " "), strings.Join(theirs, " "); a != b {
			t.Errorf("tags of %q = %s, want %s", src, a, b)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, src := range scanCases {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ours, theirs := tags(src)
		if a, b := strings.Join(ours, " "), strings.Join(theirs, " "); a != b {
			t.Errorf("tags of %q = %q, want %q", src, a, b)
		}
	})
}
