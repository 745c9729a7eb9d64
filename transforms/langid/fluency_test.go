package langid

import "testing"

func TestFluencyOf(t *testing.T) {
	const prose = "The committee met on Thursday and decided that the work on the northern bridge would begin in the " +
		"spring, when the water of the river is low and the road along its bank can be used again. "
	tests := []struct {
		name, text string
		good       bool
	}{
		{"English", prose, true},
		{"German", "Der Ausschuss hat am Donnerstag beschlossen, dass die Arbeiten an der Brücke im Frühjahr " +
			"beginnen, wenn das Wasser niedrig ist und die Straße am Ufer wieder befahren werden kann.", true},
		{"Russian", "Комитет собрался в четверг и решил, что работы на мосту начнутся весной, когда вода в реке " +
			"спадёт и по дороге вдоль берега снова можно будет ездить.", true},
		{"codes moved by three", "Wkh frpplwwhh phw rq Wkxuvgdb dqg ghflghg wkdw wkh zrun rq wkh qruwkhuq eulgjh zrxog " +
			"ehjlq lq wkh vsulqj, zkhq wkh zdwhu ri wkh ulyhu lv orz", false},
		{"bad recognition", "Tbe cornrnittee rnet ori Tlinrsdny arid dccidod tlint tlie wnrk cn tbc nortlicrn hridgc " +
			"woiild bcgiu iri tlic spriiig, wlicii thc wnter nf tlie rivcr ia low", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := FluencyOf(tt.text)
			if f.Letters == 0 || f.Words == 0 {
				t.Fatalf("FluencyOf = %+v, read nothing", f)
			}
			if good := f.Ahead > -0.6; good != tt.good {
				t.Errorf("FluencyOf = %+v, good is %v, want %v", f, good, tt.good)
			}
		})
	}
	if f := FluencyOf("日本語の文章です"); f.Letters != 0 {
		t.Errorf("FluencyOf(Japanese) = %+v, want none: no model covers it", f)
	}
}
