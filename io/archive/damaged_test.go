package archive

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// damaged lists the expected results for the copies that make_damaged.py makes of one file of 822 records. A row has
// the numbers of delivered records and of flagged ones (incomplete, repaired or not verified). Each copy has one fault,
// so more than one flag would be a fault of ours.
var damaged = map[string]struct{ records, flagged, lost int64 }{
	"00-ok.warc.gz":                        {822, 0, 0},
	"01-flip-byte-mid-member.warc.gz":      {822, 1, 0},
	"02-cut-100B-mid-member.warc.gz":       {822, 1, 0},
	"03-half-member-then-next.warc.gz":     {822, 1, 0},
	"04-garbage-50B-between.warc.gz":       {822, 0, 50},
	"05-trunc-last.warc.gz":                {822, 1, 0},
	"06-bad-crc.warc.gz":                   {822, 1, 0},
	"07-bad-isize.warc.gz":                 {822, 1, 0},
	"08-zero-64K.warc.gz":                  {822, 1, 0},
	"09-half-then-retry.warc.gz":           {823, 1, 0}, // the half one is delivered too
	"10-trailing-zeros.warc.gz":            {822, 0, 0},
	"11-single-member.warc.gz":             {822, 0, 0},
	"12-single-member-flip.warc.gz":        {822, 1, 0}, // the checksum is known to be wrong when the last one is read
	"13-record-split-over-members.warc.gz": {822, 0, 0},
	"14-empty-members.warc.gz":             {822, 0, 0},
	"15-clen-too-big.warc.gz":              {822, 1, 0},
	"16-clen-too-small.warc.gz":            {822, 1, 0},
	"17-clen-missing.warc.gz":              {822, 1, 0},
	"18-clen-nan.warc.gz":                  {822, 1, 0},
	"19-clen-neg.warc.gz":                  {822, 1, 0},
	"20-clen-huge.warc.gz":                 {822, 1, 0},
	"21-header-40KB.warc.gz":               {822, 0, 0},
	"30-ok.warc":                           {822, 0, 0},
	"31-garbage.warc":                      {822, 0, 74}, // the first of its 75 bytes is a zero, which is padding
	"32-clen-too-big.warc":                 {822, 1, 0},
	"33-clen-too-small.warc":               {822, 1, 0},
	"34-clen-missing.warc":                 {822, 1, 0},
	"35-trunc.warc":                        {822, 1, 0},
	"36-lf-only-headers.warc":              {100, 0, 0},
	"37-no-trailing-crlf.warc":             {100, 0, 0},
	"38-extra-crlf.warc":                   {100, 0, 0},
	"39-leading-blank.warc":                {100, 0, 0},
	"40-lower-case.warc":                   {100, 0, 0},
	"41-version-0.16.warc":                 {100, 0, 0},
	"41-version-0.17.warc":                 {100, 0, 0},
	"41-version-0.18.warc":                 {100, 0, 0},
	"41-version-0.9.warc":                  {100, 0, 0},
	"41-version-1.1.warc":                  {100, 0, 0},
	"41-version-1.2.warc":                  {100, 0, 0},
	"41-version-2.0.warc":                  {100, 0, 0},
	"42-folded.warc":                       {100, 0, 0},
	"43-no-space.warc":                     {100, 0, 0},
	"44-bom.warc":                          {100, 0, 0},
	"45-unknown-type.warc":                 {100, 0, 0},
	"50-ok.warc.zst":                       {822, 0, 0},
	"51-one-frame.warc.zst":                {822, 0, 0},
	"52-dict.warc.zst":                     {822, 0, 0},
	"53-dict-compressed.warc.zst":          {822, 0, 0},
	"54-flip.warc.zst":                     {822, 1, 24497}, // from the block that does not decode to the frame's end
	"55-skippable-between.warc.zst":        {822, 0, 0},
	"60-nested-gz-l6.warc.gz":              {824, 0, 0},
	"61-nested-gz-stored.warc.gz":          {824, 0, 0},
	"62-nested-warc.warc":                  {823, 0, 0},
}

// pythonPackages are what make_damaged.py needs. Another zstandard compresses to other bytes, and then the damage hits
// another place.
var pythonPackages = []string{"zstandard==0.25.0", "brotli==1.2.1"}

// havePackages fails in an interpreter without them.
const havePackages = "import zstandard, brotli; assert zstandard.__version__ == '0.25.0'"

// makeDamaged returns the folder of the damaged copies, and the number of records that its maker expects of each.
func makeDamaged(t *testing.T) (dir string, want map[string][]any) {
	t.Helper()
	tool, err := filepath.Abs("../../../shared/tools/make_damaged.py")
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(corpora, "raw/archivesunleashed+aut/src/test/resources/warc/example.warc.gz")
	for _, file := range []string{tool, base} {
		if _, err := os.Stat(file); err != nil {
			t.Skip("no ../shared/tools and ../shared/corpora/warc beside the checkout: what makes damaged copies of files of " +
				"others")
		}
	}
	dir = t.TempDir()
	if out, err := exec.Command(pythontest.Interpreter(t, havePackages, pythonPackages...), tool, base,
		dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", tool, err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

func TestReader_damagedCopies(t *testing.T) {
	dir, made := makeDamaged(t)
	for name := range damaged {
		if _, ok := made[name]; !ok {
			t.Errorf("%s was not made", name)
		}
	}
	for name, expected := range made {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			want, ok := damaged[name]
			if !ok {
				t.Fatalf("nothing is known of %s; the tool expects %v", name, expected)
			}
			if best, ok := expected[0].(float64); ok &&
				(want.records < int64(best) || want.records-want.flagged < int64(best)-1) {
				t.Fatalf("we want %+v, a perfect reader gives %v", want, best)
			}
			checkDamaged(t, data, want)
			format, err := Detect("", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			whole := readBytes(t, data, format)
			for _, every := range []int64{300_000, 1 << 20} {
				checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, format, every)
			}
		})
	}
}

// checkDamaged counts records of any type, which captures do not.
func checkDamaged(t *testing.T, data []byte, want struct{ records, flagged, lost int64 }) {
	t.Helper()
	size := int64(len(data))
	f, err := Detect("", bytes.NewReader(data), size)
	if err != nil {
		t.Fatal(err)
	}
	var losses []string
	r, err := record.NewReader(bytes.NewReader(data), member.Range{End: size, Size: size}, f.Compression, f.grammar(),
		record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var flagged []string
	for {
		rec, loss, err := r.Step()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if loss != nil {
			losses = append(losses, loss.String())
			continue
		}
		if len(rec.Flags) > 0 {
			flagged = append(flagged, f.grammar().ID(rec))
		}
	}
	s := r.Stats()
	if s.Records != want.records || int64(len(flagged)) != want.flagged || s.Lost != want.lost {
		t.Errorf("%d records, %d bytes lost, flagged %v, want %+v; losses:\n%s", s.Records, s.Lost, flagged, want,
			strings.Join(losses, "\n"))
	}
	if s.Delivered+s.Structure+s.Lost != size {
		t.Errorf("%+v do not add up to %d", s, size)
	}
}
