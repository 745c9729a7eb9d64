package leaktest

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// counted is a test that counts failures and continues.
type counted struct {
	testing.TB
	failed int
}

func (c *counted) Errorf(string, ...any) { c.failed++ }
func (c *counted) Helper()               {}

// TestNone_findsEachForm: the search for secrets finds them.
func TestNone_findsEachForm(t *testing.T) {
	for _, text := range []string{
		Password, Signature, "user:" + url.QueryEscape(Password), "/" + url.PathEscape(Signature), User,
		base64.StdEncoding.EncodeToString([]byte("somebody:" + Password)),
		base64.URLEncoding.EncodeToString([]byte("x" + Signature + "x")),
		fmt.Sprintf("%x", Signature),
	} {
		c := &counted{TB: t}
		if None(c, "x", map[string]string{"text": "before " + text + " behind"}); c.failed == 0 {
			t.Errorf("nothing is found in %q", text)
		}
	}
	c := &counted{TB: t}
	if None(c, "x", map[string]string{"text": "somebody's token=[secret]"}); c.failed > 0 {
		t.Error("something is found where nothing is")
	}
}

// TestTexts_unpacks: secrets in compressed files, in hidden files and in names are found.
func TestTexts_unpacks(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, ".hidden"))
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	if _, err := w.Write([]byte(Password)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c := &counted{TB: t}
	if None(c, "x", Texts(t, dir)); c.failed == 0 {
		t.Error("nothing is found in a packed file")
	}
	if texts := Texts(t, filepath.Join(dir, "absent")); len(texts) > 0 {
		t.Errorf("a folder that is not there has %v", texts)
	}
}
