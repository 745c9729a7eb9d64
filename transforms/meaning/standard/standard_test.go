package standard

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/meaning"
)

// TestModel compares sentences about one subject in several languages with sentences about another.
func TestModel(t *testing.T) {
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	e := meaning.NewEncoder(m)
	near := func(a, b string) (sum float32) {
		v := append([]float32(nil), e.Vector(a)...)
		for i, x := range e.Vector(b) {
			sum += v[i] * x
		}
		return sum
	}
	const question = "masks in hospitals"
	far := near(question, "the football team won the final match of the season")
	for _, text := range []string{
		"nurses and doctors must wear face coverings in the clinic",
		"médecins et infirmières portent des masques à l'hôpital",
		"Im Krankenhaus müssen Ärzte eine Maske tragen",
		"médicos con mascarillas en el hospital",
		"врачи в больнице носят маски",
		"病院の医師はマスクを着用する",
		"医院的医生戴口罩",
	} {
		if got := near(question, text); got < far+.15 {
			t.Errorf("%q and %q have a cosine of %.2f, unrelated sentences one of %.2f", question, text, got, far)
		}
	}
}
