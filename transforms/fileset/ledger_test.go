package fileset_test

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// notes is a Ledger in memory.
type notes map[string]schemas.FileMeta

// Seen returns a noted file.
func (n notes) Seen(identity string) (schemas.FileMeta, bool) { m, ok := n[identity]; return m, ok }

// Note notes a file of any size.
func (n notes) Note(identity string, m schemas.FileMeta) error { n[identity] = m; return nil }

// stated is a dataset of one file, for which the platform states some data, while the archive has the same record.
func stated(name, statement string, a answer) web {
	a.identity = "record 1"
	w := dataset()
	w[api] = answer{mime: "application/json", body: fmt.Sprintf(
		`{"id":1,"conceptrecid":"0","metadata":{"access_right":"open"},"files":[{"key":%q,%s"links":{"self":%q}}]}`,
		name, statement, content+name)}
	return w.with(content+name, a)
}

// TestLedger_otherStatements: a noted file does not depend on the size and hash that an earlier request expected.
func TestLedger_otherStatements(t *testing.T) {
	plain := answer{mime: "application/octet-stream", body: "twelve bytes"}
	coded := answer{mime: "application/octet-stream", encoding: "gzip", body: gzipped("twelve bytes")}
	size := func(n int) string { return fmt.Sprintf(`"size":%d,`, n) }
	sum := func(s string) string { return fmt.Sprintf(`"size":%d,"checksum":"md5:%s",`, len(s), md5Of(s)) }
	for name, tt := range map[string]struct {
		name, first, second string
		of                  answer
		seen                bool // the second request reads nothing
	}{
		"fewer bytes expected":     {"a.bin", size(3), size(12), plain, false},
		"one byte fewer":           {"a.bin", size(11), size(12), plain, false},
		"no bytes expected":        {"a.bin", size(0), size(12), plain, false},
		"more bytes expected":      {"a.bin", size(30), size(12), plain, true},
		"the same":                 {"a.bin", size(12), size(12), plain, true},
		"no size, then a hash":     {"a.bin", "", sum("twelve bytes"), plain, true},
		"as sent, then decoded":    {"a.bin", sum(coded.body), sum("twelve bytes"), coded, false},
		"decoded, then as sent":    {"a.bin", sum("twelve bytes"), sum(coded.body), coded, false},
		"no statement, then coded": {"a.bin", "", sum(coded.body), coded, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := fileset.Options{Ledger: notes{}}
			ingest(t, stated(tt.name, tt.first, tt.of), record, o)
			want := ingest(t, stated(tt.name, tt.second, tt.of), record, fileset.Options{}).Result
			again := tt.of
			if tt.seen {
				again.body = "other bytes of the same record"
			}
			got := ingest(t, stated(tt.name, tt.second, again), record, o).Result
			if want.Status != "success-file" && want.Status != "success" || got.Status != want.Status {
				t.Errorf("%s, want %s", got.Status, want.Status)
			}
			if fmt.Sprint(got.Manifest[0].MD5) != fmt.Sprint(want.Manifest[0].MD5) {
				t.Errorf("%+v, want %+v", got.Manifest[0], want.Manifest[0])
			}
		})
	}
}

// TestLedger_otherNames: the type of a file follows its name in each request.
func TestLedger_otherNames(t *testing.T) {
	a := answer{body: "a,b\n1,2\n"}
	o := fileset.Options{Ledger: notes{}}
	for _, name := range []string{"table.txt", "table.csv", "table.txt"} {
		want := ingest(t, stated(name, "", a), record, fileset.Options{}).Result.Manifest[0].MIME
		if got := ingest(t, stated(name, "", a), record, o).Result.Manifest[0].MIME; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
