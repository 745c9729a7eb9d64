package kafka

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// secretProperties are those whose values are secret. Where one is not given, it is taken from the environment: see
// Variable. So workers in other processes have it.
var secretProperties = []string{"sasl.jaas.config", "ssl.keystore.key"}

// Variable is the environment's variable that a secret property is taken from where it is not given:
// KAFKA_SASL_JAAS_CONFIG for sasl.jaas.config.
func Variable(property string) string {
	return "KAFKA_" + strings.ToUpper(strings.ReplaceAll(property, ".", "_"))
}

// withSecrets adds the secret properties that the environment has.
func withSecrets(values map[string]string) map[string]string {
	// The caller's map goes on to be written down, and must not have what was in the environment.
	values = maps.Clone(values)
	for _, name := range secretProperties {
		// What is given goes before the environment.
		if v := cmp.Or(values[name], os.Getenv(Variable(name))); v != "" {
			// Clone of a nil map is nil.
			if values == nil {
				values = map[string]string{}
			}
			values[name] = v
			// From here on what is logged or reported has it blanked out.
			secret.Note(v)
		}
	}
	return values
}

// Secrets are the names of the secret properties that are given.
func (c Config) Secrets() (names []string) {
	for _, name := range secretProperties {
		if c.Properties[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// travelling is a Config in JSON.
type travelling struct {
	Brokers, Topic, Format string
	Properties             map[string]string
	Secrets                map[string]secret.Text `json:",omitempty"`
	MaxMessage             int64                  `json:",omitempty"`
}

// MarshalJSON writes tickets for the secrets.
func (c Config) MarshalJSON() ([]byte, error) {
	t := travelling{
		Brokers: c.Brokers, Topic: c.Topic, Format: c.Format, MaxMessage: c.MaxMessage,
		Properties: maps.Clone(c.Properties), Secrets: map[string]secret.Text{},
	}
	for _, name := range c.Secrets() {
		// secret.Text writes a ticket that only this process can turn back: the secret itself is never in
		// the JSON.
		t.Secrets[name] = secret.Text(c.Properties[name])
	}
	// From the clone: c goes on to be used with its secrets.
	maps.DeleteFunc(t.Properties, func(name, _ string) bool { return slices.Contains(secretProperties, name) })
	return json.Marshal(t)
}

// UnmarshalJSON is the inverse of MarshalJSON in the same process. In another one the secrets are missing.
func (c *Config) UnmarshalJSON(b []byte) error {
	var t travelling
	if err := json.Unmarshal(b, &t); err != nil {
		return err
	}
	*c = Config{Brokers: t.Brokers, Topic: t.Topic, Format: t.Format, Properties: t.Properties, MaxMessage: t.MaxMessage}
	for name, v := range t.Secrets {
		// In another process a ticket reads as "". Then the environment is asked for it, when the
		// properties are read.
		if v != "" {
			c.Properties[name] = string(v)
		}
	}
	return nil
}
