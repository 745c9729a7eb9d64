package filter

import (
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestGopher_unspaced: good texts in languages without spaces between words stay, and those that repeat a sentence go.
func TestGopher_unspaced(t *testing.T) {
	for _, tt := range []struct{ language, text string }{
		{"th", article(t, "th-ruea")},
		{"ja", article(t, "ja-gyoko")},
		{"ja", article(t, "ja-furuhon")},
		{"zh", article(t, "zh-chashe")},
		{"zh", article(t, "zh-zaochuan")},
		{"lo", "ຕອນເຊົ້າຂອງວັນເສົາ ຊາວບ້ານມາພົບກັນຢູ່ຕະຫຼາດແຄມນໍ້າ. ແມ່ຄ້າຂາຍຜັກແລະໝາກໄມ້ທີ່ປູກໃນສວນຂອງຕົນ. " +
			"ເດັກນ້ອຍບໍ່ໄດ້ໄປໂຮງຮຽນ ແຕ່ຫຼິ້ນຢູ່ໃຕ້ຕົ້ນໄມ້ໃຫຍ່. ເຮືອລໍາໜຶ່ງມີປາສົດ ອີກລໍາໜຶ່ງຂາຍເຂົ້າປຽກຮ້ອນ."},
		{"km", "ព្រឹកថ្ងៃសៅរ៍ អ្នកភូមិជួបគ្នានៅផ្សារមាត់ទន្លេ។ អ្នកលក់មានបន្លែនិងផ្លែឈើដែលពួកគេបានដាំក្នុងសួន។ " +
			"ក្មេងៗលេងនៅក្រោមដើមឈើធំ ហើយចាស់ៗអង្គុយផឹកតែ។ ទូកនេះលក់ត្រីស្រស់ ទូកមួយទៀតលក់បបរក្តៅ។"},
		{"my", "စနေနေ့မနက်တွင် ရွာသူရွာသားများသည် မြစ်ကမ်းနားဈေးမှာ တွေ့ဆုံကြသည်။ ဈေးသည်များသည် ခြံထဲမှ ဟင်းသီး" +
			"ဟင်းရွက်နှင့် " +
			"သစ်သီးကို ရောင်းကြသည်။ ကလေးငယ်တို့က သစ်ပင်ကြီးအောက်တွင် ကစားနေပြီး လှေတစ်စင်းက ငါးလတ်လတ်ဆတ်ဆတ် ရောင်း" +
			"သည်။"},
		{"bo", tibetan},
		{"dz", tibetan},
	} {
		for _, filter := range []string{"gopher_quality", "gopher_repetition"} {
			c, err := Recipe{{Name: filter}}.Chain(Tools{})
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Judge(NewPage(&schemas.Document{Text: tt.text, Language: tt.language})); got != "" {
				t.Errorf("%s: %q, want none, of %.60q", tt.language, got, tt.text)
			}
		}
		c, err := Recipe{{Name: "gopher_repetition"}}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		half := []rune(tt.text)[:100]
		spam := strings.Repeat(string(half), 4)
		if got := c.Judge(NewPage(&schemas.Document{Text: spam, Language: tt.language})); got == "" {
			t.Errorf("%s: a sentence four times stays: %.60q", tt.language, spam)
		}
	}
	// Stop words are still needed.
	c, err := Recipe{{Name: "gopher_quality"}}.Chain(Tools{})
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Repeat("กรุงเทพมหานคร เชียงราย ลำพูน แพร่ น่าน ", 5)
	if got := c.Judge(NewPage(&schemas.Document{Text: names, Language: "th"})); got != "gopher_quality/stop_words" {
		t.Errorf("names of places: %q, want stop_words", got)
	}
}

const tibetan = "གཟའ་སྤེན་པའི་ཞོགས་པར་གྲོང་པའི་མི་རྣམས་གཙང་པོའི་འགྲམ་གྱི་ཁྲོམ་དུ་འཛོམས། ཚོང་པས་རང་གི་ལྡུ" +
	"མ་རར་བཏབ་པའི་ཚལ་དང་ཤིང་ཏོག་འཚོང་། " +
	"ཕྲུ་གུ་ཚོས་ཤིང་སྡོང་ཆེན་པོའི་འོག་ཏུ་རྩེད་མོ་རྩེ། གྲུ་གཅིག་ལ་ཉ་གསར་པ་ཡོད། གཞན་ཞིག་གིས་ཐུག་པ་ཚ་པོ་འཚོང་། " +
	"རྒན་པ་རྣམས་ཇ་འཐུང་ནས་སྐད་ཆ་བཤད།"

// article returns the text of an article of the test data.
func article(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/gen/content/articles/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\n\n")
	return text
}
