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

// secretProperties are the properties with secret values. A missing one is read from the environment, so that workers
// in other processes have it: see Variable.
var secretProperties = []string{"sasl.jaas.config", "ssl.keystore.key"}

// Variable returns the variable of the environment for a missing secret property: KAFKA_SASL_JAAS_CONFIG for
// sasl.jaas.config.
func Variable(property string) string {
	return "KAFKA_" + strings.ToUpper(strings.ReplaceAll(property, ".", "_"))
}

// withSecrets adds the secret properties from the environment.
func withSecrets(values map[string]string) map[string]string {
	// The caller's map is written to the output, and must not contain secrets from the environment.
	values = maps.Clone(values)
	for _, name := range secretProperties {
		// Given values take precedence over the environment.
		if v := cmp.Or(values[name], os.Getenv(Variable(name))); v != "" {
			// Clone of a nil map is nil.
			if values == nil {
				values = map[string]string{}
			}
			values[name] = v
			// From here on logs and reports hide it.
			secret.Note(v)
		}
	}
	return values
}

// Secrets returns the names of the given secret properties.
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
		// secret.Text writes a ticket that only this process can decode: the secret itself is never in the JSON.
		t.Secrets[name] = secret.Text(c.Properties[name])
	}
	// Deleted from the clone: c keeps its secrets.
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
		// In another process a ticket reads as "", and parsing the properties asks the environment.
		if v != "" {
			c.Properties[name] = string(v)
		}
	}
	return nil
}
