package platform

import "testing"

// TestGet_marked reads answers of servers that begin with a byte order mark.
func TestGet_marked(t *testing.T) {
	for _, body := range []string{`{"id":7}`, "\ufeff" + `{"id":7}`, "\ufeff\r\n" + `{"id":"7"}`} {
		v, err := get[struct {
			ID text `json:"id"`
		}](func(string) ([]byte, error) { return []byte(body), nil }, "https://a.example/api")
		if err != nil || v.ID != "7" {
			t.Errorf("%q: %+v, %v", body, v, err)
		}
	}
}
