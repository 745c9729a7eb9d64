package langid

import (
	"strings"
	"testing"
)

// These are sentences about a day at school, in languages that share a script.
var schoolDays = map[string]string{
	"as":  "আমি আজি স্কুললৈ যাম আৰু পাছত ঘৰলৈ উভতিম। এই কিতাপখন মোৰ ককাইদেউৰ।",
	"bn":  "আমি আজ স্কুলে যাব এবং পরে ঘরে ফিরব। এই বইটা আমার ভাইয়ের।",
	"ti":  "ሎሚ ናብ ቤት ትምህርቲ ክኸይድ እየ፣ ካብኡ ድማ ናብ ገዛ ክምለስ እየ። እዚ መጽሓፍ ናይ ሓወይ እዩ።",
	"am":  "ዛሬ ወደ ትምህርት ቤት እሄዳለሁ ከዚያም ወደ ቤት እመለሳለሁ። ይህ መጽሐፍ የወንድሜ ነው።",
	"ps":  "زه نن ښوونځي ته ځم او بیا کور ته راځم. دا کتاب زما د ورور دی.",
	"fa":  "من امروز به مدرسه می\u200cروم و بعد به خانه برمی\u200cگردم. این کتاب از برادرم است.",
	"ur":  "میں آج اسکول جا رہا ہوں اور پھر گھر واپس آؤں گا۔ یہ کتاب میرے بھائی کی ہے۔",
	"ar":  "أذهب اليوم إلى المدرسة ثم أعود إلى البيت. هذا الكتاب لأخي وهو جديد.",
	"ug":  "مەن بۈگۈن مەكتەپكە بارىمەن، ئاندىن ئۆيگە قايتىمەن. بۇ كىتاب ئاكامنىڭ.",
	"ckb": "ئەمڕۆ دەچم بۆ قوتابخانە و دواتر دەگەڕێمەوە بۆ ماڵەوە. ئەم کتێبە هی براکەمە.",
	"sd":  "مان اڄ اسڪول وڃان ٿو ۽ پوءِ گهر موٽندس. هي ڪتاب منهنجي ڀاءُ جو آهي.",
	"ne":  "म आज विद्यालय जान्छु र पछि घर फर्कन्छु। यो किताब मेरो दाइको हो भन्ने कुरा उसलाई थाहा छ।",
	"hi":  "मैं आज स्कूल जा रहा हूँ और फिर घर लौटूँगा। यह किताब मेरे भाई की है।",
	"mr":  "मी आज शाळेत जात आहे आणि नंतर घरी परत येईन. हे पुस्तक माझ्या भावाचे आहे.",
	"dz":  "ང་ ད་རིས་ སློབ་གྲྭ་ལུ་ འགྱོ་ནི་ཨིན། དེབ་འདི་ ངེའི་ཕོ་རྒན་གྱི་ཨིན།",
	"bo":  "ང་དེ་རིང་སློབ་གྲྭ་ལ་འགྲོ་གི་ཡིན། དེབ་འདི་ངའི་ཇོ་ལགས་ཀྱི་རེད།",
	"shn": "ၵူၼ်းၵူႈၵေႃႉ ၵႂႃႇႁူင်းႁဵၼ်း ယဝ်ႉၵေႃႈ ပွၵ်ႈမႃးႁိူၼ်း",
	"my":  "ကျွန်တော် ဒီနေ့ ကျောင်းသွားပြီး နောက်မှ အိမ်ပြန်လာမည်။",
}

func TestDetect_siblings(t *testing.T) {
	d := New(Options{})
	for code, text := range schoolDays {
		for name, text := range map[string]string{
			"once": text, "many times": strings.Repeat(text+"\n", 20), "beside digits": "12.5.2020 – " + text + " (34)",
		} {
			got := d.Detect(text)
			if len(got) != 1 || got[0].Code != code {
				t.Errorf("%s, %s: Detect = %+v", code, name, got)
			}
		}
	}
}

// TestDetect_siblingsDoubted: if no letter and no word is distinctive, the confidence is low.
func TestDetect_siblingsDoubted(t *testing.T) {
	for _, text := range []string{"একটি পান", "ሰላም ሰላም", "བཀྲ་ཤིས་བདེ་ལེགས།", "བཀྲ་ཤིས"} {
		if got := New(Options{}).Detect(text); len(got) != 1 || got[0].Confidence > signDoubt {
			t.Errorf("Detect(%q) = %+v, want a confidence of %v at most", text, got, signDoubt)
		}
	}
}

func TestDetect_siblingsMixed(t *testing.T) {
	text := strings.Repeat(schoolDays["fa"]+" "+schoolDays["fa"]+"\n", 6) +
		strings.Repeat(schoolDays["ps"]+" "+schoolDays["ps"]+"\n", 3)
	got := New(Options{}).Detect(text)
	if len(got) != 2 || got[0].Code != "fa" || got[1].Code != "ps" {
		t.Errorf("Detect of Persian with Pashto = %+v", got)
	}
	if got := New(Options{}).Detect(strings.Repeat(schoolDays["fa"]+"\n", 20) + "ښار ځای"); len(got) != 1 ||
		got[0].Code != "fa" {
		t.Errorf("Detect of Persian with two words of Pashto = %+v", got)
	}
}

// TestDetect_shortDevanagari: vowel signs are not letters, so that a sentence has few letters.
func TestDetect_shortDevanagari(t *testing.T) {
	for text, want := range map[string]string{
		"पानी कैसा है?": "hi", "यह क्या है?": "hi", "तुम कहाँ हो?": "hi", "पाणी कसे आहे?": "mr", "तू कुठे आहेस?": "mr",
		"माझे नाव रमेश आहे": "mr",
	} {
		if got := New(Options{}).Detect(text); len(got) != 1 || got[0].Code != want {
			t.Errorf("Detect(%q) = %+v, want %s", text, got, want)
		}
	}
}
