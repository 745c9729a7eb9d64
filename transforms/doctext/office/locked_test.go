package office_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestRead_defaultPassword: files that Excel opens without asking for a password are read, with any kind of
// encryption.
func TestRead_defaultPassword(t *testing.T) {
	for _, name := range []string{"rc4.xls", "cryptoapi.xls", "standard.xlsx", "agile.xlsx"} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, locked(t, name), doctext.Options{})
			const first, end = "Tides\n\nHafen Höhe 0\t0\t", "\fSecond\n\nlast words Прилив"
			if len(d.Problems) > 0 || !strings.HasPrefix(d.Text, first) || !strings.HasSuffix(d.Text, end) ||
				!strings.Contains(d.Text, "\nHafen Höhe 39\t58.5\t") {
				t.Errorf("text %q, problems %v", d.Text, d.Problems)
			}
		})
	}
}

func locked(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestRead_otherPassword: a user's own password cannot be guessed. Invalid encryption opens nothing, and takes no
// time.
func TestRead_otherPassword(t *testing.T) {
	value := base64.StdEncoding.EncodeToString(make([]byte, 16))
	agile := func(spins int) []byte {
		key := `<encryptedKey spinCount="` + strconv.Itoa(spins) +
			`" keyBits="128" cipherAlgorithm="AES" hashAlgorithm="SHA512"` + ` cipherChaining="ChainingModeCBC" saltValue="` +
			value + `" encryptedVerifierHashInput="` + value + `"/>`
		info := "\x04\x00\x04\x00\x40\x00\x00\x00" + `<encryption><keyData cipherAlgorithm="AES" hashAlgorithm="SHA512"` +
			` cipherChaining="ChainingModeCBC" keyBits="128" saltValue="` + value + `"/><keyEncryptors>` +
			strings.Repeat("<keyEncryptor>"+key+"</keyEncryptor>", 1000) + `</keyEncryptors></encryption>`
		return officetest.CFB(officetest.Stream{Name: "EncryptionInfo", Body: []byte(info)},
			officetest.Stream{Name: "EncryptedPackage", Body: make([]byte, 600)})
	}
	for _, test := range []struct {
		name string
		body []byte
	}{
		{"another password", locked(t, "agile-other-password.xlsx")},
		{"a thousand keys", agile(50_000)},
		{"a billion rounds", agile(1_000_000_000)},
		{"negative rounds", agile(-1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			d := mustRead(t, test.body, doctext.Options{})
			if diff := cmp.Diff([]doctext.Kind{doctext.KindEncrypted}, kinds(d)); diff != "" || d.Text != "" {
				t.Errorf("text %q, problems (-want +got):\n%s", d.Text, diff)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestRead_lockedAndCut: a crawler truncated the file. The existing part of the package is read like that of another
// truncated file.
func TestRead_lockedAndCut(t *testing.T) {
	for _, name := range []string{"rc4.xls", "agile.xlsx"} {
		body := locked(t, name)
		d := mustRead(t, body[:len(body)*3/4], doctext.Options{})
		check(t, d, nil)
		if len(d.Problems) == 0 {
			t.Errorf("%s: three quarters have no problem; text %.80q", name, d.Text)
		}
	}
}
