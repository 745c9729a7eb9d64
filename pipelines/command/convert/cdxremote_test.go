package convert

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestCDX_privateHosts: archives and lists of this network are read only if the command allows it.
func TestCDX_privateHosts(t *testing.T) {
	dir := archiveOf(t, pages(2))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer s.Close()
	url := s.URL + "/" + files[0].Name()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(url+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, flag, input string
		want              int // captures, or -1 for a refusal
	}{
		{"refused", "--private_hosts=false", url, -1},
		{"a list is refused", "--private_hosts=false", "@" + list, -1},
		{"allowed", "--private_hosts", url, 2},
		{"a list is allowed", "--private_hosts", "@" + list, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			index := filepath.Join(t.TempDir(), "index")
			code, out := runCommand(t, "cdx", "--output="+index, tt.flag, tt.input)
			if tt.want < 0 {
				if code == cli.ExitDone {
					t.Errorf("it is read: %s", out)
				}
				return
			}
			if got := len(paths(t, index)); code != cli.ExitDone || got != tt.want {
				t.Errorf("exit code %d, %d captures, want %d: %s", code, got, tt.want, out)
			}
		})
	}
}
