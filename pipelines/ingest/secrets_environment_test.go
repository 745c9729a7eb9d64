package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/leaktest"
)

// TestAttack11_environment covers the environment variables of proxies and stores.
func TestAttack11_environment(t *testing.T) {
	t.Parallel() // it waits for servers that are down
	v := leaktest.NewVault(t, "../../"+archives)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") == "" || r.Host != "archives.example.com" {
			http.Error(w, fmt.Sprint(r.URL, r.Header), http.StatusProxyAuthRequired)
			return
		}
		r.URL, _ = url.Parse(v.URL + r.URL.RequestURI())
		r.RequestURI, r.Host = "", ""
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
		_ = answer.Body.Close()
	}))
	t.Cleanup(proxy.Close)
	name := "http://" + leaktest.User + "archives.example.com/site.warc.gz?token=" + url.QueryEscape(leaktest.Signature)
	for _, test := range []struct {
		name, variable, value string
		want                  int
		args                  []string
	}{
		{"proxy", "HTTP_PROXY", strings.Replace(proxy.URL, "://", "://"+leaktest.User, 1), 0, []string{name}},
		{
			"proxy that refuses", "HTTP_PROXY", strings.Replace(proxy.URL, "://", "://"+leaktest.User, 1), 2,
			[]string{"http://other.example.com/a.warc.gz"},
		},
		{"proxy that is down", "HTTP_PROXY", "http://" + leaktest.User + unusedAddress(t), 2, []string{name}},
		{"proxy that is none", "HTTP_PROXY", "http://" + leaktest.User + "127.0.0.1:port:9", 2, []string{name}},
		{
			"store that is down", "AWS_ENDPOINT_URL", "http://" + leaktest.User + unusedAddress(t), 2,
			[]string{"s3://bucket/a.warc.gz"},
		},
		{
			"store that refuses", "AWS_ENDPOINT_URL", strings.Replace(v.URL, "://", "://"+leaktest.User, 1), 2,
			[]string{"s3://bucket/forbidden/a.warc.gz"},
		},
	} {
		for _, form := range logForms {
			t.Run(test.name+" "+form, func(t *testing.T) {
				if testing.Short() && strings.HasSuffix(test.name, "down") {
					t.Skip("is asked again for a minute or two")
				}
				t.Parallel()
				env := []string{
					"AWS_ACCESS_KEY_ID=AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY=" + leaktest.Password, "AWS_SESSION_TOKEN=" +
						leaktest.Signature,
					"AWS_REGION=eu-west-1", "AWS_MAX_ATTEMPTS=1", test.variable + "=" + test.value,
				}
				leakTestAs(t, form, env, test.want, test.args...)
			})
		}
	}
}

// TestAttack11_metrics covers the HTTP responses of a running command.
func TestAttack11_metrics(t *testing.T) {
	v := leaktest.NewVault(t, "../../"+archives)
	metrics, pprof := unusedAddress(t), unusedAddress(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := command(ctx, "--output="+t.TempDir(), "--private_hosts", "--watch=1h", "--metrics_port="+metrics,
		"--pprof_port="+pprof, v.WithUser("/site.warc.gz?token="+url.QueryEscape(leaktest.Signature)))
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := new(strings.Builder)
	for b := make([]byte, 4096); !strings.Contains(said.String(), "next run"); {
		n, err := errs.Read(b)
		said.Write(b[:n])
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	texts := map[string]string{"stderr": said.String()}
	for _, page := range []string{metrics + "/metrics", pprof + "/debug/pprof/", pprof + "/debug/pprof/cmdline", pprof +
		"/debug/pprof/goroutine?debug=2"} {
		answer, err := http.Get("http://" + page)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err = cmpErr(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		texts[page] = string(body)
	}
	leaktest.None(t, "ports", texts)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, errs)
	_ = cmd.Wait() // interrupted
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
