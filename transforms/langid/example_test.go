package langid_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/langid"
)

func ExampleDetector_Detect() {
	detector := langid.New(langid.Options{})
	for _, l := range detector.Detect("Η Αθήνα είναι η πρωτεύουσα της Ελλάδας.\n東京は日本の首都です。") {
		fmt.Println(l.Code, l.Share, l.Confidence)
	}
	// Output:
	// el 0.686 1
	// ja 0.314 1
}

func ExampleDetect() {
	for _, text := range []string{
		"The bees live in colonies.", "Die Bienen leben in Völkern.", "蜜蜂生活在蜂群中。", "1984",
	} {
		lang, ok := langid.Detect(text)
		fmt.Println(lang, ok)
	}
	// Output:
	// en true
	// de true
	// zh true
	//  false
}
