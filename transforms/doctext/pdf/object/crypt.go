package object

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"maps"
)

// method is how strings or streams are encrypted.
type method uint8

const (
	plain method = iota
	methodRC4
	methodAES
	methodAES256
)

// crypt decrypts a file of the standard security handler (section 7.6) that opens with the empty user password. If a
// file needs another password, key is nil. Restrictions by an owner password (printing, copying) need no password to
// read. Most encrypted files on the web have only those.
type crypt struct {
	key             []byte
	strings         method
	streams         method
	encryptMetadata bool
}

// pad fills passwords up to 32 bytes (algorithm 2). So the empty password is the pad alone.
const pad = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// newCrypt reads the encryption dictionary d of a file with identifier id. V is the version of the algorithm, R the
// revision of the handler: tables 20 and 21.
func (f *File) newCrypt(d Dict, id String) *crypt {
	v := f.Int(d["V"], 0)
	r := f.Int(d["R"], 0)
	c := &crypt{strings: methodRC4, streams: methodRC4, encryptMetadata: true}
	if b, ok := f.Resolve(d["EncryptMetadata"]).(bool); ok {
		c.encryptMetadata = b
	}
	// The length is in bits; only V 2 and 3 use it.
	length := f.Int(d["Length"], 40)
	switch v {
	case 1:
		length = 40
	case 2, 3:
	case 4, 5:
		// From V 4 on, crypt filters choose the method for strings and streams, and keys of RC4 and AES-128 have 16
		// bytes.
		length = 128
		c.strings, c.streams = f.methodOf(d, "StrF"), f.methodOf(d, "StmF")
	// For unpublished or unknown versions the key stays nil, and the file is locked.
	default:
		return c
	}
	// These are public-key handlers and those of vendors. A missing name means the standard one. Unencrypted parts are
	// read all the same.
	if name := f.Name(d["Filter"]); name != "Standard" && name != "" {
		return c
	}
	owner, user := f.String(d["O"]), f.String(d["U"])
	if v == 5 {
		// With AES-256 the key does not depend on the identifier, and is wrapped instead of derived.
		c.key = key256(r, []byte(user), []byte(f.String(d["UE"])))
		return c
	}
	c.key = key128(r, min(max(length/8, 5), 16), string(owner), uint32(f.Int(d["P"], 0)), string(id), c.encryptMetadata)
	// A wrong key would turn every string into noise, so it is tested before it is used.
	if !opens(c.key, r, string(user), string(id)) {
		c.key = nil
	}
	return c
}

// methodOf returns the method of the crypt filter that d names under key (section 7.6.6). Without a name the default
// is "Identity": the strings or streams are plain.
func (f *File) methodOf(d Dict, key Name) method {
	name := f.Name(d[key])
	if name == "" || name == "Identity" {
		return plain
	}
	switch f.Name(f.Dict(f.Dict(d["CF"])[name])["CFM"]) {
	case "V2":
		return methodRC4
	case "AESV2":
		return methodAES
	case "AESV3":
		return methodAES256
	}
	return plain
}

// key128 makes the key of the empty password (algorithm 2).
func key128(r, n int, owner string, permissions uint32, id string, encryptMetadata bool) []byte {
	h := md5.New()
	h.Write([]byte(pad))
	h.Write([]byte(owner[:min(32, len(owner))]))
	h.Write(binary.LittleEndian.AppendUint32(nil, permissions))
	h.Write([]byte(id))
	// This is only for revision 4 and later (step f).
	if r >= 4 && !encryptMetadata {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key := h.Sum(nil)
	// Revision 2 takes 40 bits and does not stretch the key.
	if r < 3 {
		return key[:5]
	}
	for range 50 {
		sum := md5.Sum(key[:n])
		key = sum[:]
	}
	return key[:n]
}

// opens reports whether key is that of the user password (algorithms 4 to 6). Revision 2 stores the encrypted pad.
// Later ones store 16 bytes of a digest, encrypted 20 times, and then 16 arbitrary bytes.
func opens(key []byte, r int, user, id string) bool {
	if r < 3 {
		return string(xorRC4(key, 0, []byte(pad))) == user
	}
	sum := md5.Sum([]byte(pad + id))
	b := sum[:]
	for i := range byte(20) {
		b = xorRC4(key, i, b)
	}
	// xorRC4 returns nil for an empty key; then nothing matches.
	return len(user) >= 16 && string(b) == user[:16]
}

// xorRC4 encrypts b with RC4 and a key whose bytes are xored with x. It copies the key, since algorithm 5 changes it
// in each of 20 rounds.
func xorRC4(key []byte, x byte, b []byte) []byte {
	k := bytes.Clone(key)
	for i := range k {
		k[i] ^= x
	}
	c, err := rc4.NewCipher(k)
	if err != nil {
		return nil
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}

// key256 makes the key of the empty password from U and UE, here user and wrapped (algorithm 2.A). It returns nil if
// the password does not open the file. U is a digest of 32 bytes, a salt to check the password and a salt for the key,
// 8 bytes each.
func key256(r int, user, wrapped []byte) []byte {
	if len(user) < 48 || len(wrapped) < 32 {
		return nil
	}
	hash := hash5
	if r >= 6 {
		hash = hash6
	}
	if !bytes.Equal(hash(user[32:40]), user[:32]) {
		return nil
	}
	block, err := aes.NewCipher(hash(user[40:48]))
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	// Without padding and with a zero vector, this gives the 32 bytes of a key.
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, wrapped[:32])
	return key
}

func hash5(salt []byte) []byte {
	sum := sha256.Sum256(salt)
	return sum[:]
}

// hash6 is algorithm 2.B for the empty user password. It ends after 64 rounds and a random number of further ones. For
// other passwords, more bytes would go into each round; here each round repeats only the last digest.
func hash6(salt []byte) []byte {
	// After 64 rounds each further round ends with a probability of about (i-30)/256 or more. So a thousand rounds
	// mean hostile input.
	const rounds, maxRounds = 64, 1024
	k := hash5(salt)
	for i := range maxRounds {
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		// 64 repetitions of 32, 48 or 64 bytes are always whole AES blocks.
		e := bytes.Repeat(k, 64)
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		// The standard takes the first 16 bytes as a big-endian number modulo 3. As 256 is 1 modulo 3, the sum of the
		// bytes has the same remainder.
		sum := 0
		for _, b := range e[:16] {
			sum += int(b)
		}
		last := e[len(e)-1]
		switch sum % 3 {
		case 0:
			k = hash5(e)
		case 1:
			h := sha512.Sum384(e)
			k = h[:]
		default:
			h := sha512.Sum512(e)
			k = h[:]
		}
		// The standard counts rounds from 0: "last byte less than or equal to the round number minus 32".
		if i >= rounds-1 && int(last) <= i+1-32 {
			break
		}
	}
	return k[:32]
}

// decrypt returns b, a part of object ref, decrypted. It returns nil if that is impossible.
func (c *crypt) decrypt(b []byte, ref Ref, m method) []byte {
	if m == plain {
		return b
	}
	// The file is locked. No bytes are better than noise.
	if c.key == nil {
		return nil
	}
	key := c.key
	// Each object has a key of its own, made with its number and generation (algorithm 1). AES-256 uses one key for
	// all.
	if m != methodAES256 {
		key = append(bytes.Clone(key), byte(ref.Num), byte(ref.Num>>8), byte(ref.Num>>16), byte(ref.Gen), byte(ref.Gen>>8))
		if m == methodAES {
			key = append(key, "sAlT"...)
		}
		sum := md5.Sum(key)
		// The key has at most 16 bytes, and five more than the key of the file.
		key = sum[:min(len(c.key)+5, 16)]
	}
	if m == methodRC4 {
		return xorRC4(key, 0, b)
	}
	return unAES(key, b)
}

// unAES decrypts bytes that begin with an initialization vector and end with padding. Incomplete blocks are left out.
// A message has at least one block after the vector: an empty one is all padding.
func unAES(key, b []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(b) < 2*aes.BlockSize {
		return nil
	}
	iv, body := b[:aes.BlockSize], b[aes.BlockSize:]
	// Only whole blocks are decrypted; CryptBlocks would panic otherwise.
	out := make([]byte, len(body)/aes.BlockSize*aes.BlockSize)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, body[:len(out)])
	// Padding only counts if no block was lost. Wrong padding is kept.
	if n := int(out[len(out)-1]); n <= aes.BlockSize && len(out) == len(body) {
		out = out[:len(out)-n]
	}
	return out
}

// decryptStrings returns o, of the object ref, with its strings decrypted. It changes arrays and dictionaries in
// place, since nothing else refers to them yet. It is not called for objects of object streams: their stream was
// encrypted as a whole (section 7.5.7).
func (f *File) decryptStrings(o Object, ref Ref, depth int) Object {
	if f.crypt == nil || f.crypt.strings == plain || depth > f.limits.MaxDepth {
		return o
	}
	switch v := o.(type) {
	case String:
		return String(f.crypt.decrypt([]byte(v), ref, f.crypt.strings))
	case Array:
		for i := range v {
			v[i] = f.decryptStrings(v[i], ref, depth+1)
		}
	case Dict:
		for k := range maps.Keys(v) {
			v[k] = f.decryptStrings(v[k], ref, depth+1)
		}
	case *Stream:
		f.decryptStrings(v.Dict, ref, depth+1)
	}
	return o
}

// decryptStream returns the bytes of s before encryption. Cross-reference streams are never encrypted, metadata only
// if the file says so. A stream may also have a Crypt filter that exempts it.
func (f *File) decryptStream(s *Stream) []byte {
	c := f.crypt
	if c == nil {
		return s.raw
	}
	kind := f.Name(s.Dict["Type"])
	if kind == "XRef" || kind == "Metadata" && !c.encryptMetadata {
		return s.raw
	}
	if names, parms := f.filtersOf(s.Dict); len(names) > 0 && names[0] == "Crypt" {
		if name := f.Name(parms[0]["Name"]); name == "" || name == "Identity" {
			return s.raw
		}
	}
	return c.decrypt(s.raw, s.ref, c.streams)
}
