package message

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestRead_flowed: lines of a flowed text are joined as their writer wrote them.
func TestRead_flowed(t *testing.T) {
	for _, tt := range []struct{ name, parameters, text, want string }{
		{"a paragraph", "; format=flowed", "The tide \nrises \ntwice.\nIt falls.\n", "The tide rises twice.\nIt falls."},
		{"not flowed", "", "The tide \nrises.", "The tide \nrises."},
		{"fixed", "; format=fixed", "The tide \nrises.", "The tide \nrises."},
		{"capitals", `; FORMAT="Flowed"`, "The tide \r\nrises.\r\n", "The tide rises."},
		{"spaces dropped", "; format=flowed; delsp=yes", "今天的潮水 \n很高。", "今天的潮水很高。"},
		{"quotations", "; format=flowed", "> It is \n> late. \nNo.\n>> Why \n>> so?", "> It is late. \nNo.\n>> Why so?"},
		{"a signature", "; format=flowed", "Yours \n-- \nAnn", "Yours \n-- \nAnn"},
		{"a protected line", "; format=flowed", " From here \n >on", "From here >on"},
		{"empty lines", "; format=flowed", "One \n\nTwo", "One \n\nTwo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Read([]byte("Subject: a\nContent-Type: text/plain"+tt.parameters+"\n\n"+tt.text), doctext.Options{})
			if err != nil || d.Text != tt.want {
				t.Errorf("text %q, want %q (%v)", d.Text, tt.want, err)
			}
		})
	}
}

// TestRead_fromLines: a mailbox marks lines that begin with From.
func TestRead_fromLines(t *testing.T) {
	const text = "Subject: a\n\n>From here on it rises.\n>>From then on too.\n> From a quotation.\n"
	const mailbox = "From ada@example.org Mon May  3 10:00:00 2004\n" + text
	for _, tt := range []struct{ body, want string }{
		{mailbox, "From here on it rises.\n>From then on too.\n> From a quotation."},
		{mailbox + "\n" + strings.Replace(mailbox, ": a", ": b", 1), "From here on it rises.\n>From then on too.\n" +
			"> From a quotation.\n\nb\n\nFrom here on it rises.\n>From then on too.\n> From a quotation."},
		{text, ">From here on it rises.\n>>From then on too.\n> From a quotation."},
	} {
		d, err := Read([]byte(tt.body), doctext.Options{})
		if err != nil || d.Text != tt.want {
			t.Errorf("text %q, want %q (%v)", d.Text, tt.want, err)
		}
	}
}
