package gazetteer

import (
	"fmt"
	"testing"
)

func TestTry(t *testing.T) {
	for _, m := range Find("In Berlin, Paris, Texas and 東京から大阪まで, 서울은 Москва. Nice trip to Nice. He went to Rio de Janeiro.", Context{Language: "en"}, nil) {
		fmt.Println(m)
	}
}
