package thread

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// Archives of mailing lists have a head above each message.
func TestPosts_mail(t *testing.T) {
	letter := []Post{{KindPost, "Ann Lee", "2020-01-02T10:00:00+01:00", one}}
	for _, tt := range []struct {
		name, src string
		want      []Post
	}{
		{"Pipermail", `<title>[Bees] Winter</title><link rel=made href="mailto:bees%40example.org?In-Reply-To=%3Cx%3E">
			<h1>[Bees] Winter</h1><b>Ann Lee</b> <a href="mailto:bees%40example.org?Subject=Re%3A&In-Reply-To=%3Cx%3E"
			title="[Bees] Winter">ann at example.org</a><br><i>Thu Jan 2 10:00:00 CET 2020</i><p><ul><li>Previous message: <a
			href=1.html>Hives</a></ul><hr><pre>` + one + `</pre><hr>`, letter},
		{"Pipermail in German", `<h1>[Bienen] Winter</h1><b>Ann Lee</b> <a
			href="mailto:bienen%40example.org?Subject=Re&In-Reply-To=%3Cx%3E">ann at example.org</a><br><i>Don Jan 2 10:00:00 CET 2020</i>
			<hr><pre>` + one + `</pre>`, letter},
		{"MHonArc", `<h1>Winter</h1><hr><ul><li><em>To</em>: <a href=mailto:b@x.org>b@x.org</a></li><li><em>Subject</em>: Winter</li>
			<li><em>From</em>: Ann Lee &lt;<a href=mailto:a@x.org>a@x.org</a>&gt;</li><li><em>Date</em>: Thu, 2 Jan 2020 10:00:00 +0100</li>
			<li><em>Message-id</em>: &lt;<a href=1.html>1@x.org</a>&gt;</li></ul><hr><pre>` + one + `</pre>`, letter},
		{"Hypermail", `<h1>Winter</h1><ul class=headers><li><dfn>From</dfn>: "Ann Lee" &lt;<a href="mailto:a@x.org?Subject=Re&In-Reply-To=1">a@x.org</a>&gt;
			<li><dfn>Date</dfn>: Thu, 2 Jan 2020 10:00:00 +0100<li><dfn>To</dfn>: b@x.org<li><dfn>Message-ID</dfn>: &lt;1@x.org&gt;</ul><pre>` + one +
			`</pre>`, letter},
		{"public-inbox", `<pre>From: Ann Lee &lt;a@x.org&gt;
To: b@x.org
Subject: <a href=#r>Winter</a>
Date: Thu, 2 Jan 2020 10:00:00 +0100	[thread overview]
Message-ID: &lt;1@x.org&gt; (<a href=raw>raw</a>)

` + one + `</pre>`, letter},
		{"MARC", `<pre><b>List:</b> <a href=?l=bees>bees</a>
<b>Subject:</b> <a href=?t=1>Winter</a>
<b>From:</b> <a href=?a=1>Ann Lee &lt;a () x ! org&gt;</a>
<b>Date:</b> <a href=?b=1>2020-01-02T10:00:00+01:00</a>
<b>Message-ID:</b> <a href=?i=1>1 () x ! org</a>

` + one + `</pre>`, letter},
		{"a text like a field", `<ul><li>From: Ann Lee &lt;a@x.org><li>Date: Thu, 2 Jan 2020 10:00:00 +0100<li>Message-ID: 1</ul>
			<pre>Hi: ` + one + `</pre>`, []Post{{KindPost, "Ann Lee", "2020-01-02T10:00:00+01:00", "Hi: " + one}}},
		{
			"two messages in French", `<div>De : Ann Lee &lt;a@x.org><br>Date : 2 janvier 2020<br>Message-ID: &lt;1@x.org></div><p>` + one +
				`<div>De : Bob (b@x.org)<br>Date : 3 janvier 2020<br>Message-ID: &lt;2@x.org></div><p>` + two,
			[]Post{{KindPost, "Ann Lee", "2020-01-02", one}, {KindPost, "Bob", "2020-01-03", two}},
		},
		{"HyperKitty", each(`<div class=email><div id=X$N class=email-header><div class=email-author><h2 class=name><a
			href=/archives/users/$N/ title="See the profile for $A">$A</a></h2></div><div class=time><span title="Sender&#39;s time: Jan. $D, 2020, 10 a.m."
			class=date>$D Jan</span></div></div><div class=email-body><pre>$T</pre></div></div>`) +
			"<footer>HyperKitty</footer>", asked(KindPost, KindPost, KindPost)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, read(t, "<html lang="+langOf(tt.name)+">"+tt.src, maintext.Article)); diff != "" {
				t.Errorf("posts of %s (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

func langOf(name string) string {
	switch {
	case strings.HasSuffix(name, "French"):
		return "fr"
	case strings.HasSuffix(name, "German"):
		return "de"
	}
	return "en"
}

// Messages that have more than maxText are cut, wherever that is in one.
func TestPosts_longMail(t *testing.T) {
	head := "From: Ann Lee (a@x.org)\nDate: 2 January 2020\nMessage-ID: 1\n\n"
	long := strings.Repeat(one+"\n", maxText/len(one)/2)
	for name, src := range map[string]string{
		"in one block":          "<pre>" + head + long + long + long + "</pre>",
		"in the second message": "<pre>" + head + long + "</pre><p>" + two + "</p><pre>" + head + long + long + "</pre>",
		"between two blocks":    "<pre>" + head + long + long[:maxText-len(long)] + "</pre><p>" + two,
		"one byte less":         "<pre>" + head + long + long[:maxText-len(long)-1] + "</pre><p>" + two + "<p>" + two,
		"a message after it": "<pre>" + head + long + long[:maxText-len(long)-1] + "</pre><p>" + two + "<pre>" + head + one +
			"</pre>",
		"many messages after it": "<pre>" + head + long + long + long + "</pre>" +
			strings.Repeat("<pre>"+head+one+"</pre>", 9),
	} {
		t.Run(name, func(t *testing.T) {
			total := 0
			posts := read(t, "<html lang=en>"+src, maintext.Article)
			for _, p := range posts {
				total += len(p.Text)
			}
			if len(posts) == 0 || total > maxText || total < maxText-len(long) {
				t.Errorf("%d posts with %d bytes", len(posts), total)
			}
		})
	}
}

func TestPosts_noMail(t *testing.T) {
	for name, src := range map[string]string{
		"a report that quotes a message": `<p>` + one + " " + two + " " + three +
			`<blockquote>From: Ann Lee &lt;a@x.org><br>Date: 2 January 2020<br>Message-ID: 1</blockquote><p>` + one,
		"an article": `<p>From: the editor<br>Date: 2 January 2020</p><p>` + one,
		"a form":     `<p>From: <input> Date: <input> Message-ID</p><p>` + two,
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, src, maintext.Article); got != nil {
				t.Errorf("posts of %s = %v, want none", src, got)
			}
		})
	}
}

// TestLabelOf compares labels with those of the plain way.
func TestLabelOf(t *testing.T) {
	for _, line := range []string{
		"", ":", "From: Ann", " FROM :  Ann ", "日付： 1", "日付：1: 2", "Message-ID: <a@b>", "a b: c", "a.b: c", "a/b: c",
		"no label", "\u0130\u0130\u0130: i", strings.Repeat("\u212A", 30) + ": k", strings.Repeat("\u212A", 31) + ": k",
		strings.Repeat("k", 30) + ": k", strings.Repeat("k", 31) + ": k", strings.Repeat("\u0130", 15) + ": i", "\xff: b",
		strings.Repeat("\xff", 10) + ": b", strings.Repeat("\xff", 11) + ": b", "\u00A0From\u00A0: x\u3000",
	} {
		label, value, ok := strings.Cut(line, ":")
		if !ok {
			label, value, ok = strings.Cut(line, "：")
		}
		label, value = strings.ToLower(strings.TrimSpace(label)), strings.TrimSpace(value)
		if !ok || label == "" || len(label) > 30 || strings.ContainsAny(label, " \t.,/") {
			label, value = "", ""
		}
		if l, v := labelOf([]byte(line)); l != label || v != value {
			t.Errorf("labelOf(%q) = %q, %q, want %q, %q", line, l, v, label, value)
		}
	}
}

// TestColons_line skips lines without a colon.
func TestColons_line(t *testing.T) {
	for text, want := range map[string][]int{
		"":                   nil,
		"a":                  nil,
		"a\nb":               nil,
		"a:\nb":              {0},
		"a\nb\nc: d":         {4},
		"a: b\nc":            {0},
		"\n:":                {1},
		":":                  {0},
		"：a\nb\nc:d\n\n：\ne": {0, 7, 12},
		"a: b：c\nd：e":        {0, 9},
	} {
		c := colons{text: []byte(text), plain: -1, wide: -1}
		var got []int
		for at := 0; at < len(text); {
			if at = c.line(at); at == len(text) {
				break
			}
			got = append(got, at)
			n := strings.IndexByte(text[at:], '\n')
			if n < 0 {
				break
			}
			at += n + 1
		}
		if !slices.Equal(got, want) {
			t.Errorf("lines of %q with a colon begin at %d, want %d", text, got, want)
		}
	}
}
