// Package discovery checks in tests what we send to Google's Dataflow service. It reads Google's published description
// of the service, a discovery document, from the Go module that is its client. The module is in go.mod.
//
//	api := discovery.Dataflow(t)
//	err := api.Check("Job", data)                 // unknown fields, types, formats, enums
//	err = api.CheckCall("POST", path, r.URL.Query()) // is it a method of the service?
package discovery

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// API is a discovery document.
type API struct {
	Revision  string            `json:"revision"`
	Schemas   map[string]schema `json:"schemas"`
	Resources map[string]branch `json:"resources"`
	// Parameters are those of all methods.
	Parameters map[string]schema `json:"parameters"`
}

// schema describes a value, in the form of JSON Schema draft 3 with Google's formats.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       string            `json:"type"`
	Format     string            `json:"format"`
	Enum       []string          `json:"enum"`
	Deprecated []bool            `json:"enumDeprecated"`
	Properties map[string]schema `json:"properties"`
	Others     *schema           `json:"additionalProperties"`
	Items      *schema           `json:"items"`
	ReadOnly   bool              `json:"readOnly"`
}

// Dataflow reads the document of Dataflow's API, version 1b3.
func Dataflow(t testing.TB) *API {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "dataflow/v1b3/dataflow-api.json"))
	if err != nil {
		t.Fatal(err)
	}
	a := &API{}
	if err := json.Unmarshal(data, a); err != nil {
		t.Fatal(err)
	}
	return a
}

// Check compares a JSON text with a schema of the document. The error names all differences.
func (a *API) Check(name string, data []byte) error {
	if _, known := a.Schemas[name]; !known {
		return fmt.Errorf("the document has no schema %s", name)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	// Without it numbers would be floats.
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return a.check(name, schema{Ref: name}, v)
}

func (a *API) check(at string, s schema, v any) error {
	if s.Ref != "" {
		s = a.Schemas[s.Ref]
	}
	var ok bool
	switch s.Type {
	case "any":
		ok = v != nil
	case "object":
		if fields, is := v.(map[string]any); is {
			return a.checkObject(at, s, fields)
		}
	case "array":
		if list, is := v.([]any); is {
			return a.checkList(at, s, list)
		}
	case "boolean":
		_, ok = v.(bool)
	case "integer", "number":
		n, is := v.(json.Number)
		ok = is && isNumber(s, n.String())
	case "string":
		text, is := v.(string)
		ok = is && isText(s, text)
	}
	if !ok {
		return fmt.Errorf("%s is %v, want %s", at, v, describe(s))
	}
	return nil
}

func (a *API) checkObject(at string, s schema, fields map[string]any) error {
	var errs []error
	for name, value := range fields {
		field, known := s.Properties[name]
		switch {
		case !known && s.Others == nil:
			errs = append(errs, fmt.Errorf("%s has no field %s", at, name))
			continue
		case !known:
			field = *s.Others
		case field.ReadOnly:
			errs = append(errs, fmt.Errorf("%s.%s is only for replies of the service", at, name))
		}
		errs = append(errs, a.check(at+"."+name, field, value))
	}
	return errors.Join(errs...)
}

func (a *API) checkList(at string, s schema, list []any) error {
	var errs []error
	for i, v := range list {
		errs = append(errs, a.check(fmt.Sprintf("%s[%d]", at, i), *s.Items, v))
	}
	return errors.Join(errs...)
}

func describe(s schema) string {
	text := strings.TrimSpace(s.Type + " " + s.Format)
	if len(s.Enum) > 0 {
		text += " of " + strings.Join(s.Enum, ", ")
	}
	return text
}

func isNumber(s schema, text string) bool {
	bits := map[string]int{"int32": 32, "uint32": 32}[s.Format]
	switch {
	case s.Type == "number":
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	case s.Format == "uint32":
		_, err := strconv.ParseUint(text, 10, bits)
		return err == nil
	}
	_, err := strconv.ParseInt(text, 10, bits)
	return bits > 0 && err == nil
}

// isText also knows numbers of 64 bits, which are strings in JSON.
func isText(s schema, text string) (ok bool) {
	if len(s.Enum) > 0 {
		i := slices.Index(s.Enum, text)
		return i >= 0 && (i >= len(s.Deprecated) || !s.Deprecated[i])
	}
	var err error
	switch s.Format {
	case "int64":
		_, err = strconv.ParseInt(text, 10, 64)
	case "uint64":
		_, err = strconv.ParseUint(text, 10, 64)
	case "google-datetime":
		_, err = time.Parse(time.RFC3339Nano, text)
	case "google-duration":
		_, err = time.ParseDuration(text)
	case "byte":
		_, err = base64.URLEncoding.DecodeString(text)
	}
	return err == nil
}
