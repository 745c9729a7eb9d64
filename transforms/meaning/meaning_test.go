package meaning

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// words of the test model: each has a row.
var vocabulary = []string{"[UNK]", "red", "boat", "blue", "ship", "tax"}

// tokenizer returns a tokenizer.json that knows whole words alone.
func tokenizer(t testing.TB) []byte {
	t.Helper()
	ids := map[string]int{}
	for i, w := range vocabulary {
		ids[w] = i
	}
	data, err := json.Marshal(map[string]any{
		"normalizer": map[string]any{"type": "Lowercase"}, "pre_tokenizer": map[string]any{"type": "WhitespaceSplit"},
		"model": map[string]any{"type": "WordLevel", "vocab": ids, "unk_token": "[UNK]"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// file returns a file in the format safetensors.
func file(t testing.TB, header map[string]any, values []byte) []byte {
	t.Helper()
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), values...)
}

func entry(kind string, from, to int, shape ...int) map[string]any {
	return map[string]any{"dtype": kind, "shape": shape, "data_offsets": []int{from, to}}
}

// table has a row of 8 numbers for each word: boats and ships are alike, taxes are not.
func table() (values []float32) {
	for i := range vocabulary {
		row := make([]float32, 8)
		switch vocabulary[i] {
		case "[UNK]":
			row[7] = 100
		case "red", "blue":
			row[0], row[i] = .5, .2
		case "boat", "ship":
			row[1], row[2] = 1, float32(i)/10
		case "tax":
			row[5] = 1
		}
		values = append(values, row...)
	}
	return values
}

func floatFile(t testing.TB) []byte {
	t.Helper()
	var data []byte
	for _, v := range table() {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return file(t, map[string]any{"embeddings": entry("F32", 0, len(data), len(vocabulary), 8)}, data)
}

func cosine(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func vectorOf(m *Model, text string) []float32 {
	return append([]float32(nil), NewEncoder(m).Vector(text)...)
}

func TestParse_layouts(t *testing.T) {
	values := table()
	var half, bytes, packed, weights, mapping []byte
	for i, v := range values {
		bits := math.Float32bits(v)
		half = binary.LittleEndian.AppendUint16(half, uint16(bits>>16))
		bytes = append(bytes, byte(int8(v*100/2)))
		nibble := byte(8 + math.Round(float64(min(v, 1)*7)))
		if i%2 == 0 {
			packed = append(packed, nibble)
		} else {
			packed[len(packed)-1] |= nibble << 4
		}
	}
	for i := range vocabulary {
		weights = binary.LittleEndian.AppendUint32(weights, math.Float32bits(1))
		mapping = binary.LittleEndian.AppendUint32(mapping, uint32(i))
	}
	n := len(vocabulary)
	for _, test := range []struct {
		name string
		file []byte
	}{
		{"F32", floatFile(t)},
		{"BF16", file(t, map[string]any{"embeddings": entry("BF16", 0, len(half), n, 8)}, half)},
		{"I8", file(t, map[string]any{"embeddings": entry("I8", 0, len(bytes), n, 8)}, bytes)},
		{"packed", file(t, map[string]any{
			"packed":  entry("U8", 0, len(packed), n, 4),
			"weights": entry("F32", len(packed), len(packed)+len(weights), n),
			"mapping": entry("I32", len(packed)+len(weights), len(packed)+len(weights)+len(mapping), n),
		}, append(append(packed, weights...), mapping...))},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := Parse(test.file, tokenizer(t))
			if err != nil {
				t.Fatal(err)
			}
			boat := vectorOf(m, "Red boat")
			near, far := cosine(boat, vectorOf(m, "blue ship")), cosine(boat, vectorOf(m, "tax"))
			if near < .8 || far > .2 {
				t.Errorf("a red boat and a blue ship have a cosine of %.2f, and it and a tax %.2f", near, far)
			}
			// Unknown words count nothing.
			if got := cosine(boat, vectorOf(m, "red xyzzy boat")); got < .999 {
				t.Errorf("with an unknown word the cosine is %.3f, want 1", got)
			}
			if v := vectorOf(m, "xyzzy"); cosine(v, v) != 0 {
				t.Errorf("the vector of an unknown word is %v, want 0", v)
			}
		})
	}
}

func TestParse_refuses(t *testing.T) {
	one := make([]byte, 4*8)
	nan := append([]byte(nil), one...)
	binary.LittleEndian.PutUint32(nan, math.Float32bits(float32(math.NaN())))
	for _, test := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "no safetensors", nil},
		{"long header", "header", binary.LittleEndian.AppendUint64(nil, 1<<60)},
		{"no JSON", "header", append(binary.LittleEndian.AppendUint64(nil, 2), "{x"...)},
		{"outside", "outside", file(t, map[string]any{"embeddings": entry("F32", 0, 999, 1, 8)}, one)},
		{"wrong size", "bytes", file(t, map[string]any{"embeddings": entry("F32", 0, 32, 2, 8)}, one)},
		{"overflow", "too large", file(t, map[string]any{"embeddings": entry("F32", 0, 32, 1<<31, 1<<31, 8)}, one)},
		{"other tensor", "no tensor", file(t, map[string]any{"weight": entry("F32", 0, 32, 1, 8)}, one)},
		{"odd vectors", "multiple", file(t, map[string]any{"embeddings": entry("F32", 0, 28, 1, 7)}, one[:28])},
		{"not finite", "finite", file(t, map[string]any{"embeddings": entry("F32", 0, 32, 1, 8)}, nan)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Parse(test.file, tokenizer(t)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Parse() = %v, want an error about %q", err, test.want)
			}
		})
	}
	if _, err := Parse(floatFile(t), []byte("{}")); err == nil {
		t.Error("a tokenizer without a model was taken")
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: .33325195, 1: 5.9604645e-08} {
		if got := half(bits); got != want {
			t.Errorf("half(%#x) = %v, want %v", bits, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	sentence := "These are exactly ten words in one short sentence here. "
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"nothing", " \n ", 0},
		{"one word", " word ", 1},
		{"short", strings.Repeat(sentence, 9), 1},
		{"a passage and a short rest", strings.Repeat(sentence, 13), 1},
		{"two", strings.Repeat(sentence, 20), 2},
		{"no sentences", strings.Repeat("word ", 400), 2},
		{"Chinese", strings.Repeat("这是一个很短的句子。", 60), 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := Split(test.text, 100)
			if len(list) != test.want {
				t.Fatalf("%d passages, want %d: %v", len(list), test.want, list)
			}
			var all []string
			for _, s := range list {
				all = append(all, test.text[s.From:s.To])
			}
			if got, want := strings.Join(strings.Fields(strings.Join(all, " ")), ""),
				strings.Join(strings.Fields(test.text), ""); got != want {
				t.Errorf("the passages have %d bytes without spaces, the text has %d", len(got), len(want))
			}
		})
	}
	if n := len(Split(strings.Repeat(sentence, 100), 3)); n != 3 {
		t.Errorf("%d passages, want the limit of 3", n)
	}
}

func TestMark(t *testing.T) {
	m, err := Parse(floatFile(t), tokenizer(t))
	if err != nil {
		t.Fatal(err)
	}
	e := NewEncoder(m)
	const text = "The tax on a (boat), and ship."
	var got []string
	for _, s := range e.Mark(vectorOf(m, "boat"), text, 5) {
		got = append(got, text[s.From:s.To])
	}
	if strings.Join(got, " ") != "boat ship" {
		t.Errorf("marked %q, want boat and ship", got)
	}
}

func TestQuantize(t *testing.T) {
	v := []float32{.5, -.5, 0, .25, .1, -.1, 0, 1}
	q := Quantize(v)
	for i, x := range v {
		if got := float32(q.Values[i]) * q.Scale; math.Abs(float64(got-x)) > .005 {
			t.Errorf("number %d is %v, want %v", i, got, x)
		}
		if set := q.Signs[0]>>i&1 == 1; set != (x > 0) {
			t.Errorf("the sign of number %d is %v", i, set)
		}
	}
	if got := float64(Dot(q.Values, q.Values)) * float64(q.Scale) * float64(q.Scale); math.Abs(got-1.5825+.0) > .02 {
		t.Errorf("the square of the length is %v", got)
	}
	if Quantize(make([]float32, 8)).Scale != 0 {
		t.Error("a vector without length has a scale")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(floatFile(f), tokenizer(f), "a red boat")
	f.Fuzz(func(t *testing.T, tensors, tokens []byte, text string) {
		m, err := Parse(tensors, tokens)
		if err != nil || len(text) > 1000 {
			return
		}
		for _, x := range NewEncoder(m).Vector(text) {
			if math.IsNaN(float64(x)) {
				t.Fatalf("the vector of %q has a number that is none", text)
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("Some words. And\nmore 漢字。")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, s := range Split(text, 1000) {
			if s.From < at || s.To < s.From || s.To > len(text) {
				t.Fatalf("passage %v after %d of %d bytes", s, at, len(text))
			}
			at = s.To
		}
	})
}

func BenchmarkVector(b *testing.B) {
	m, err := Parse(floatFile(b), tokenizer(b))
	if err != nil {
		b.Fatal(err)
	}
	e, text := NewEncoder(m), strings.Repeat("the red boat and the blue ship pay a tax ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		e.Vector(text)
	}
}
