package object_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

const (
	padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	secret  = "what nobody may read"
	owner   = "01234567890123456789012345678901"
	id      = "0123456789abcdef"
)

func rc4Of(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}

// encrypted returns a file that opens with the empty password, and whose object 3 is a string. It uses revision r of
// the standard security handler: 2 and 3 with RC4, 4 with AES.
func encrypted(r int) []byte {
	h := md5.New()
	h.Write([]byte(padding + owner))
	h.Write(binary.LittleEndian.AppendUint32(nil, 0xfffffffc))
	h.Write([]byte(id))
	key := h.Sum(nil)
	n := 16
	if r == 2 {
		n = 5
	}
	for range 50 * min(1, r-2) {
		sum := md5.Sum(key[:n])
		key = sum[:]
	}
	key = key[:n]
	user := rc4Of(key, []byte(padding))
	if r > 2 {
		sum := md5.Sum([]byte(padding + id))
		user = sum[:]
		for i := range byte(20) {
			k := append([]byte{}, key...)
			for j := range k {
				k[j] ^= i
			}
			user = rc4Of(k, user)
		}
		user = append(user, make([]byte, 16)...)
	}
	own := append(append([]byte{}, key...), 3, 0, 0, 0, 0)
	if r == 4 {
		own = append(own, "sAlT"...)
	}
	sum := md5.Sum(own)
	own = sum[:min(16, n+5)]
	text := rc4Of(own, []byte(secret))
	filters := ""
	if r == 4 {
		block, err := aes.NewCipher(own)
		if err != nil {
			panic(err)
		}
		plain := []byte(secret)
		for i := aes.BlockSize - len(plain)%aes.BlockSize; len(plain)%aes.BlockSize != 0; {
			plain = append(plain, byte(i))
		}
		text = append([]byte(id), make([]byte, len(plain))...)
		cipher.NewCBCEncrypter(block, []byte(id)).CryptBlocks(text[aes.BlockSize:], plain)
		filters = "/CF<</StdCF<</CFM/AESV2>>>>/StmF/StdCF/StrF/StdCF"
	}
	b := pdftest.New()
	b.Add(fmt.Sprintf("<%x>", text))
	dict := b.Add(fmt.Sprintf("<</Filter/Standard/V %d/R %d/Length %d/P -4/O<%x>/U<%x>%s>>",
		map[int]int{2: 1, 3: 2, 4: 4}[r], r, 8*n, owner, user, filters))
	b.Trailer = fmt.Sprintf("/Encrypt %d 0 R/ID[<%x><%x>]", dict, id, id)
	b.Page("")
	return b.Bytes()
}

func TestFile_encrypted(t *testing.T) {
	for _, r := range []int{2, 3, 4} {
		f := object.Open(encrypted(r), object.Limits{})
		if got := f.String(object.Ref{Num: 3}); got != secret || f.Locked {
			t.Errorf("revision %d: string = %q, Locked %v, want %q", r, got, f.Locked, secret)
		}
	}
}

// TestFile_encryptedAndMisplaced: a file whose table has a wrong place for any object is repaired, and stays readable.
func TestFile_encryptedAndMisplaced(t *testing.T) {
	for _, r := range []int{2, 3, 4} {
		for object1 := range 6 {
			body := encrypted(r)
			table := bytes.LastIndex(body, []byte("xref\n0 "))
			lines := bytes.SplitAfterN(body[table:], []byte("\n"), 3)
			entry := table + len(lines[0]) + len(lines[1]) + 20*object1
			copy(body[entry:], "0000000001")
			f := object.Open(body, object.Limits{})
			if got := f.String(object.Ref{Num: 3}); got != secret || f.Locked {
				t.Errorf("revision %d, object %d misplaced: string = %q, Locked %v, want %q", r, object1, got, f.Locked, secret)
			}
		}
	}
}

func TestFile_locked(t *testing.T) {
	b := pdftest.New()
	b.Add("(secret)")
	b.Trailer = "/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O(x)/U(y)>>"
	b.Page("BT ET")
	f := object.Open(b.Bytes(), object.Limits{})
	if got := f.String(object.Ref{Num: 3}); got != "" || !f.Locked {
		t.Errorf("string = %q, Locked %v, want none, true", got, f.Locked)
	}
	if f.Dict(f.Dict(f.Trailer["Root"])["Pages"]) == nil {
		t.Error("no page tree: structure is not encrypted")
	}
}

// TestFile_attachmentsEncrypted: parts that crypt filters leave unencrypted are read without the password of
// attachments, even if the handler is unknown.
func TestFile_attachmentsEncrypted(t *testing.T) {
	for _, tt := range []struct {
		name, filters string
		locked        bool
	}{
		{"named Identity", "/CF<</StdCF<</CFM/AESV2>>>>/StmF/Identity/StrF/Identity/EFF/StdCF", false},
		{"by default", "/CF<</StdCF<</CFM/AESV2>>>>/EFF/StdCF", false},
		{"streams alone", "/CF<</StdCF<</CFM/AESV2>>>>/StmF/StdCF/StrF/Identity", true},
	} {
		for _, filter := range []string{"Standard", "Adobe.PubSec"} {
			b := pdftest.New()
			b.Add("(in the clear)")
			b.Trailer = "/Encrypt<</Filter/" + filter + "/V 4/R 4/Length 128/P -4/O(x)/U(y)" + tt.filters + ">>"
			b.Page("BT ET")
			f := object.Open(b.Bytes(), object.Limits{})
			if got := f.String(object.Ref{Num: 3}); got != "in the clear" || f.Locked != tt.locked {
				t.Errorf("%s, %s: string = %q, Locked %v, want Locked %v", tt.name, filter, got, f.Locked, tt.locked)
			}
		}
	}
}
