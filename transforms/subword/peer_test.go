package subword

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// peers counts the tokens of texts with tokenizers and tiktoken.
const peers = `
import base64, json, sys
said = json.load(sys.stdin)
def counter(name):
    if name.endswith(".json"):
        from tokenizers import Tokenizer
        t = Tokenizer.from_file(name)
        t.no_truncation()
        t.no_padding()
        return lambda text: len(t.encode(text, add_special_tokens=False).ids)
    import tiktoken
    import tiktoken_ext.openai_public as public
    ranks = {base64.b64decode(a): int(b) for a, b in (line.split() for line in open(name, "rb"))}
    public.load_tiktoken_bpe = lambda *args, **named: ranks
    made = getattr(public, name.rsplit("/", 1)[1].removesuffix(".tiktoken"))()
    t = tiktoken.Encoding("x", pat_str=made["pat_str"], mergeable_ranks=ranks, special_tokens={})
    return lambda text: len(t.encode_ordinary(text))
print(json.dumps({name: list(map(counter(name), said["texts"])) for name in said["files"]}))
`

// languages are those of the comparison.
const languages = "ar bn de el en es fa fi fr he hi hy it ja ka ko pl pt ru sw ta th tr uk vi zh"

// texts returns about 10,000 texts: those of a corpus, and the same with odd characters and without some spaces.
func texts(t *testing.T) (list []string) {
	t.Helper()
	const dir = "../../../shared/corpora/lang/"
	odd := []string{
		"\n\n", "\t \r\n", "  ", "\u00a0", "\u200d", "e\u0301", "İ", "ﬁ", "x²½", "'S", "I'LL", "<unk>", "▁", "<0x0A>", "👩‍👧",
		"\x00",
		"1234567", "３", "{\"a\": [1]}\n\t\t}", "ΣΑΣ", "http://a.example/?q=%20",
	}
	for _, name := range []string{"ntrex_short_dev", "ntrex_medium_dev", "ntrex_long_dev"} {
		in, err := os.Open(dir + name + ".tsv.gz")
		if err != nil {
			t.Skip("the corpus of languages is not here")
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			code, text, _ := strings.Cut(lines.Text(), "\t")
			if !strings.Contains(" "+languages+" ", " "+code+" ") {
				continue
			}
			list = append(list, text)
			words := strings.Split(text, " ")
			for i := range words {
				if i%5 == len(list)%5 {
					words[i] += odd[(i+len(list))%len(odd)]
				}
			}
			list = append(list, strings.Join(words[:len(words)/2], " ")+strings.Join(words[len(words)/2:], ""))
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestCount_asPeers: counts are those of tokenizers and tiktoken, for our files and those in GLEANER_TOKENIZERS.
func TestCount_asPeers(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("set GLEANER_SLOW=1: 10,000 texts for each tokenizer")
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("GLEANER_TOKENIZERS"); dir != "" {
		more, err := filepath.Glob(dir + "/*.*")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	python := pythontest.Interpreter(t, "import tokenizers, tiktoken", "tokenizers==0.23.3", "tiktoken==0.14.0")
	all := texts(t)
	in, err := json.Marshal(map[string]any{"files": files, "texts": all})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", peers)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]int
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := Parse(name, data)
		if err != nil {
			t.Error(err)
			continue
		}
		other := 0
		for i, text := range all {
			if n, err := k.Count(text); n != want[name][i] || err != nil {
				if other++; other < 4 {
					t.Errorf("%s: %.200q has %d tokens, %v; want %d", name, text, n, err, want[name][i])
				}
			}
		}
		t.Logf("%s: %d texts, %d other counts", filepath.Base(name), len(all), other)
	}
}
