package holdings

import "testing"

func TestShardName_roundTrip(t *testing.T) {
	for _, n := range []Name{
		FileType{Kind: KindDocuments, Ext: ".jsonl.zst"}.Name("0123456789abcdef0123"),
		FileType{Kind: KindCaptures, Ext: ExtCDXJ}.Name("ffffffffffffffffffff"),
		FileType{Kind: KindRejects, Ext: ".jsonl"}.Name("00000000000000000000"),
	} {
		got, ok := ParseName(n.String())
		if !ok || got != n {
			t.Errorf("parseShard(%q) = %v, %v, want %v", n, got, ok, n)
		}
	}
	for _, name := range []string{
		"documents-0123456789abcdef012.jsonl", "documents-0123456789abcdef01234.jsonl",
		"documents-0123456789ABCDEF0123.jsonl",
		"documents-0123456789abcdef0123", "notes-0123456789abcdef0123.jsonl", "documents-00000-of-00001.jsonl",
		"documents-0123456789abcdef0123.jsonl\n",
	} {
		if n, ok := ParseName(name); ok {
			t.Errorf("parseShard(%q) = %v, want it refused", name, n)
		}
	}
}
