package plan

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
)

// TestFinishFirst_warnsOfWhatWasNoted: the warning about a killed run names the archives of its request. If an
// earlier version has not recorded these, it names none.
func TestFinishFirst_warnsOfWhatWasNoted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known bool
		want  string // in the log; empty for nothing
	}{
		{"noted", true, "its command also named other"},
		{"not noted", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &standing.Folder{Noted: tt.known, Rows: map[string]ledger.Row{"a": {}}}
			if tt.known {
				h.LastRun = holdings.LastRun{Inputs: []string{"other"}, Dir: "/elsewhere"}
			}
			names, err := standing.NewNames()
			if err != nil {
				t.Fatal(err)
			}
			var log strings.Builder
			p := &Plan{
				folder:  h,
				keeper:  &keeper{world: &world{Names: names}},
				asked:   holdings.LastRun{Inputs: []string{"in"}, Dir: "/here"},
				Request: Request{Log: slog.New(slog.NewTextHandler(&log, nil))},
			}
			if err := p.finishFirst(); err != nil {
				t.Fatal(err)
			}
			if got := log.String(); got == "" != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("log is %q, want %q", got, tt.want)
			}
		})
	}
}
