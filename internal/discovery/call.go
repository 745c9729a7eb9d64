package discovery

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// branch is a resource of the service with its methods.
type branch struct {
	Methods   map[string]method `json:"methods"`
	Resources map[string]branch `json:"resources"`
}

type method struct {
	Verb       string            `json:"httpMethod"`
	Path       string            `json:"flatPath"`
	Parameters map[string]schema `json:"parameters"`
}

// pathVariable matches {projectId} in paths.
var pathVariable = regexp.MustCompile(`\\\{\w+\\\}`)

// CheckCall returns an error if the service has no method with this verb, path and query.
func (a *API) CheckCall(verb, path string, query url.Values) error {
	m := find(a.Resources, verb, strings.TrimPrefix(path, "/"))
	if m == nil {
		return fmt.Errorf("the document has no method %s %s", verb, path)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(query)) {
		s, known := m.Parameters[name]
		if !known {
			s, known = a.Parameters[name]
		}
		if !known {
			errs = append(errs, fmt.Errorf("%s %s has no parameter %s", verb, path, name))
			continue
		}
		for _, value := range query[name] {
			// Other types have no form of their own in a URL.
			if s.Type == "string" && !isText(s, value) {
				errs = append(errs, fmt.Errorf("%s %s: %s=%s, want %s", verb, path, name, value, describe(s)))
			}
		}
	}
	return errors.Join(errs...)
}

func find(resources map[string]branch, verb, path string) *method {
	for _, r := range resources {
		for _, m := range r.Methods {
			pattern := "^" + pathVariable.ReplaceAllString(regexp.QuoteMeta(m.Path), "[^/]+") + "$"
			if m.Verb == verb && regexp.MustCompile(pattern).MatchString(path) {
				return &m
			}
		}
		if m := find(r.Resources, verb, path); m != nil {
			return m
		}
	}
	return nil
}
