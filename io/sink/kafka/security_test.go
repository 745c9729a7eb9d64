package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// certificate makes a certificate for a host or address, signed by itself: in PEM, with its key.
func certificate(t *testing.T, name string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour),
		IsCA:     true, BasicConstraintsValid: true, DNSNames: []string{name},
	}
	if ip := net.ParseIP(name); ip != nil {
		about.IPAddresses, about.DNSNames = []net.IP{ip}, nil
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// served is a server's configuration with a certificate. With clients, it wants one of them.
func served(t *testing.T, name, clients string) (c *tls.Config, cert string) {
	t.Helper()
	cert, key := certificate(t, name)
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	c = &tls.Config{Certificates: []tls.Certificate{pair}}
	if clients != "" {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AppendCertsFromPEM([]byte(clients))
	}
	return c, cert
}

// reaches reports whether a producer with these properties gets an answer.
func reaches(t *testing.T, brokers string, properties map[string]string) bool {
	t.Helper()
	properties["delivery.timeout.ms"] = "1000"
	p := open(t, Config{Brokers: brokers, Properties: properties})
	err := p.Ping(t.Context())
	t.Logf("%v: %v", properties["security.protocol"], err)
	return err == nil
}

func TestSecurity_login(t *testing.T) {
	const jaas = "org.apache.kafka.common.security."
	for _, tt := range []struct{ mechanism, module string }{
		{"PLAIN", "plain.PlainLoginModule"},
		{"SCRAM-SHA-256", "scram.ScramLoginModule"},
		{"SCRAM-SHA-512", "scram.ScramLoginModule"},
	} {
		brokers := fake(t, kfake.EnableSASL(), kfake.Superuser(tt.mechanism, "us er", `pa"ss`))
		properties := func(password string) map[string]string {
			return map[string]string{
				"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": tt.mechanism,
				"sasl.jaas.config": jaas + tt.module + ` required username="us er" password="` + password + `";`,
			}
		}
		if !reaches(t, brokers, properties(`pa\"ss`)) {
			t.Errorf("%s: the right password is refused", tt.mechanism)
		}
		if reaches(t, brokers, properties("pass")) || reaches(t, brokers, map[string]string{}) {
			t.Errorf("%s: a wrong password, or none, is taken", tt.mechanism)
		}
	}
}

func TestSecurity_tls(t *testing.T) {
	clientCert, clientKey := certificate(t, "client")
	config, cert := served(t, "127.0.0.1", clientCert)
	brokers := fake(t, kfake.TLS(config))
	both := filepath.Join(t.TempDir(), "both.pem")
	trust := filepath.Join(t.TempDir(), "trust.pem")
	for name, text := range map[string]string{both: clientCert + clientKey, trust: cert} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name       string
		properties map[string]string
		want       bool
	}{
		{"files", map[string]string{
			"ssl.truststore.type": "PEM", "ssl.truststore.location": trust,
			"ssl.keystore.location": both,
		}, true},
		{"inline", map[string]string{
			"ssl.truststore.certificates": cert, "ssl.keystore.certificate.chain": clientCert,
			"ssl.keystore.key": clientKey,
		}, true},
		{"no certificate of the client", map[string]string{"ssl.truststore.location": trust}, false},
		{"unknown authority", map[string]string{"ssl.keystore.location": both}, false},
	} {
		tt.properties["security.protocol"] = "SSL"
		if got := reaches(t, brokers, tt.properties); got != tt.want {
			t.Errorf("%s: reached %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSecurity_host: the server's name is verified, unless that is switched off; then its authority still is.
func TestSecurity_host(t *testing.T) {
	config, cert := served(t, "elsewhere.example", "")
	brokers := fake(t, kfake.TLS(config))
	other, _ := certificate(t, "elsewhere.example")
	for _, tt := range []struct {
		trust, algorithm string
		want             bool
	}{
		{cert, "https", false},
		{cert, "", true},
		{other, "", false},
	} {
		got := reaches(t, brokers, map[string]string{
			"security.protocol": "SSL", "ssl.truststore.certificates": tt.trust,
			"ssl.endpoint.identification.algorithm": tt.algorithm,
		})
		if got != tt.want {
			t.Errorf("algorithm %q: reached %v, want %v", tt.algorithm, got, tt.want)
		}
	}
}
