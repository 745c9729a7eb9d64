package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// security has the properties of authentication and encryption.
type security struct {
	// The defaults are PLAINTEXT and a verified host, as in Kafka since 2.0.
	protocol       string // PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL
	mechanism      string // of SASL
	user, password string

	// Certificates and keys are PEM: the names of files, or text.
	trustFile, trust    string
	keyFile, chain, key string
	verifyHost          bool
}

func setProtocol(s *settings, v string) error {
	switch v {
	case "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL":
		s.security.protocol = v
		return nil
	}
	return fmt.Errorf("%.40q is none of PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL", v)
}

func setMechanism(s *settings, v string) error {
	switch v {
	case "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512":
		s.security.mechanism = v
		return nil
	}
	return fmt.Errorf("%.40q is none of PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512", v)
}

// loginOption matches an option of a login module: name="value".
var loginOption = pattern.Lazy(`(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"`)

// setJAAS reads user and password from the one form of Java's login configuration that Kafka's clients use:
//
//	org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p";
func setJAAS(s *settings, v string) error {
	if !strings.Contains(v, "PlainLoginModule") && !strings.Contains(v, "ScramLoginModule") {
		return errors.New("it names neither PlainLoginModule nor ScramLoginModule")
	}
	// A password may hold a quote or a backslash, escaped as in Java. The pattern skips such pairs, and they are
	// decoded here. The replacer works from left to right, so that an escaped backslash does not escape the next
	// character.
	for _, m := range loginOption().FindAllStringSubmatch(v, -1) {
		value := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[2])
		switch m[1] {
		case "username":
			s.security.user = value
		case "password":
			s.security.password = value
			secret.Note(value)
		// An ignored option, such as tokenauth, would make another login than requested.
		default:
			return errors.New("it has other options than username and password")
		}
	}
	// The message has nothing of v, which is the secret.
	if s.security.user == "" || s.security.password == "" {
		return errors.New(`it has no username="…" and password="…"`)
	}
	return nil
}

func checkPEM(_ *settings, v string) error {
	if v != "PEM" {
		return fmt.Errorf("%.40q: only PEM is read; keytool and openssl make PEM of JKS and PKCS12", v)
	}
	return nil
}

func setVerification(s *settings, v string) error {
	if v != "" && !strings.EqualFold(v, "https") {
		return fmt.Errorf("%.40q is neither https nor empty", v)
	}
	s.security.verifyHost = v != ""
	return nil
}

// options returns the client's options for this security.
func (s *security) options() ([]kgo.Opt, error) {
	var o []kgo.Opt
	// SSL and SASL_SSL. The user has chosen to send the password in the clear with SASL_PLAINTEXT.
	if strings.HasSuffix(s.protocol, "SSL") {
		c, err := s.tls()
		if err != nil {
			return nil, err
		}
		o = append(o, kgo.DialTLSConfig(c))
	}
	if strings.HasPrefix(s.protocol, "SASL_") {
		m, err := s.login()
		if err != nil {
			return nil, err
		}
		o = append(o, kgo.SASL(m))
	}
	return o, nil
}

// login returns the mechanism of SASL.
func (s *security) login() (sasl.Mechanism, error) {
	if s.user == "" {
		return nil, fmt.Errorf("kafka: security.protocol=%s needs sasl.jaas.config", s.protocol)
	}
	switch s.mechanism {
	// setMechanism accepts only these. For "", Kafka's default would be GSSAPI.
	case "PLAIN":
		return plain.Auth{User: s.user, Pass: s.password}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: s.user, Pass: s.password}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: s.user, Pass: s.password}.AsSha512Mechanism(), nil
	}
	return nil, fmt.Errorf("kafka: security.protocol=%s needs sasl.mechanism: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512",
		s.protocol)
}

// tls returns the configuration of encrypted connections.
func (s *security) tls() (*tls.Config, error) {
	// Kafka's own default protocols are TLS 1.2 and 1.3.
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	trust, err := text("ssl.truststore.location", s.trustFile, s.trust)
	if err != nil {
		return nil, err
	}
	// Without a truststore the system's certificates are trusted, as Java's clients trust those of the JVM.
	if len(trust) > 0 {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(trust) {
			// An empty pool would trust nobody, and each connection would fail with a less clear error.
			return nil, errors.New("kafka: the truststore holds no certificate in PEM")
		}
	}
	// The client's own certificate, if the brokers require one (mutual TLS).
	chain, err := text("ssl.keystore.location", s.keyFile, s.chain)
	if err != nil {
		return nil, err
	}
	if len(chain) > 0 {
		key := []byte(s.key)
		if s.keyFile != "" {
			key = chain // one file has both
		}
		pair, err := tls.X509KeyPair(chain, key)
		if err != nil {
			return nil, fmt.Errorf("kafka: the keystore: %w (a key that is encrypted is not read)", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if !s.verifyHost {
		verifyChainOnly(c)
	}
	return c, nil
}

// maxPEM limits a file of certificates, in bytes.
const maxPEM = 16 << 20

// text returns the content of a file, or the inline text if there is no file.
func text(property, file, inline string) ([]byte, error) {
	if file == "" {
		return []byte(inline), nil
	}
	// Checked before reading: a wrong name, such as that of a disk image, must not fill the memory.
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxPEM {
		err = fmt.Errorf("%s has more than %d bytes", file, maxPEM)
	}
	if err != nil {
		return nil, fmt.Errorf("kafka: %s: %w", property, err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("kafka: %s: %w", property, err)
	}
	return b, nil
}

// verifyChainOnly makes the client check the server's certificate, but not its host name. An empty
// ssl.endpoint.identification.algorithm asks for this.
func verifyChainOnly(c *tls.Config) {
	c.InsecureSkipVerify = true // the chain is verified below
	c.VerifyConnection = func(state tls.ConnectionState) error {
		// An empty DNSName skips the host; dates and chain are still checked. A server always sends a certificate, so
		// that [0] exists: otherwise crypto/tls ends the handshake.
		o := x509.VerifyOptions{Roots: c.RootCAs, Intermediates: x509.NewCertPool()}
		for _, cert := range state.PeerCertificates[1:] {
			o.Intermediates.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(o)
		return err
	}
}
