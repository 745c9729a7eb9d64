package subtitle_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/subtitle"
)

const (
	webVTT = "WEBVTT - a talk\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE made by hand\nin two lines\n\n1\n" +
		"00:01.000 --> 00:04.000 align:start\n" +
		"<v Ada Quay>Hello, <i>all</i> &amp; everybody</v>\n- <00:02.000><c>yes</c>\n\n00:05.000 --> 00:06.000\nIt goes on\n"
	subRip = "\uFEFF1\r\n00:00:01,000 --> 00:00:04,000\r\n<b>High</b> water\r\nat {\\an8}noon\r\n\r\n2\r\n00:00:05,000 " +
		"--> 00:00:06,000\r\n2 < 3\r\n"
)

func TestRead(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"WebVTT", webVTT, "Hello, all & everybody\n- yes\nIt goes on"},
		{"SubRip", subRip, "High water\nat noon\n2 < 3"},
		{"without numbers and with hours", "WEBVTT\n\n01:00:00.000 --> 01:00:01.000\none\n\n01:00:02.000 --> " +
			"01:00:03.000\ntwo", "one\ntwo"},
		{"lines that roll up", "WEBVTT\n\n00:01.000 --> 00:02.000\nso it\n\n00:02.000 --> 00:03.000\nso it\nbegins\n\n" +
			"00:03.000 --> 00:04.000\nbegins\nnow", "so it\nbegins\nnow"},
		{"no empty lines", "1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:03,000 --> 00:00:04,000\ntwo", "one\ntwo"},
		{"an empty line in a cue", "1\n00:00:01,000 --> 00:00:02,000\none\n\nmore of it\n\n2\n00:00:03,000 --> 00:00:04," +
			"000\ntwo", "one\nmore of it\ntwo"},
		{"a number as text", "7\n00:00:01,000 --> 00:00:02,000\n42\n", "42"},
		{"windows-1251", "1\n00:00:01,000 --> 00:00:02,000\n\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0, \xEA\xE0\xEA " +
			"\xE4\xE5\xEB\xE0\n", "Привет, мир, как дела"},
		{
			"line ends of old Macs", "1\r00:00:01,000 --> 00:00:02,000\rone\r\r2\r00:00:03,000 --> 00:00:04,000\rtwo",
			"one\ntwo",
		},
		{"WebVTT without empty lines", "WEBVTT\n\n00:01.000 --> 00:02.000\none\n00:02.000 --> 00:03.000\ntwo", "one\ntwo"},
		{"a name of a cue", "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\nsecond\n00:02.000 --> 00:03.000\ntwo", "one\ntwo"},
		{"converted twice", "1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nHello\r\r\n\r\r\n2\r\r\n00:00:03,000 --> " +
			"00:00:04,000\r\r\nWorld\r\r\n", "Hello\nWorld"},
		{"an empty line behind each line", "1\n\n00:00:01,000 --> 00:00:02,000\n\nHello\n\n2\n\n00:00:03,000 --> " +
			"00:00:04,000\n\nWorld\n\n42\n", "Hello\nWorld\n42"},
		{"a number alone within a cue", "1\n00:00:01,000 --> 00:00:02,000\nin\n\n1984\n\nit rained\n", "in\n1984\nit rained"},
		{"a number as text before a number", "1\n\n00:00:01,000 --> 00:00:02,000\n\n2012\n\n2\n\n00:00:03,000 --> " +
			"00:00:04,000\n\nText\n", "2012\nText"},
		{"many line ends", "WEBVTT" + strings.Repeat("\r", 1<<20) + "\n00:01.000 --> 00:02.000\none", "one"},
		{"ruby", "WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>漢字<rt>かんじ</rt></ruby> <ruby>東<rt.a>とう</rt></ruby>", "漢字 東"},
		{"nothing", "WEBVTT\n\nNOTE only this\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := subtitle.Read([]byte(tt.body), doctext.Options{}).Text; got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(webVTT))
	f.Add([]byte(subRip))
	f.Add([]byte("-->\n-->\na"))
	f.Fuzz(func(t *testing.T, body []byte) {
		const maxText = 100
		d := subtitle.Read(body, doctext.Options{MaxText: maxText})
		if len(d.Text) > maxText || !utf8.ValidString(d.Text) || strings.HasSuffix(d.Text, "\n") {
			t.Errorf("Read(%q) = %+v", body, d)
		}
	})
}
