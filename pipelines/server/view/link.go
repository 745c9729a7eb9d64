package view

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Encode writes the parameters of a request as a query, without those that are not set. It is the inverse of Decode.
func Encode(request any) url.Values {
	values := url.Values{}
	// It uses reflection, so that names of a request are in one place only: the tags that the API's description is
	// made from.
	v := reflect.ValueOf(request)
	for i := range v.NumField() {
		// Embedded requests have no tag of their own and are not written; callers set their values.
		name, is := v.Type().Field(i).Tag.Lookup("query")
		if !is || v.Field(i).IsZero() {
			continue
		}
		// Requests contain only texts and numbers.
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			values.Set(name, f.String())
		case reflect.Int, reflect.Int64:
			values.Set(name, strconv.FormatInt(f.Int(), 10))
		}
	}
	return values
}

// Decode reads the parameters of a request, within the limits in its tags. The request is a pointer to a struct with
// tags "query". Unknown parameters are ignored: a form may have more fields.
func Decode(values url.Values, request any) error {
	v := reflect.ValueOf(request).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) { // of embedded requests, too
		name, is := field.Tag.Lookup("query")
		// An empty parameter counts as not set, as forms send all their fields.
		if !is || values.Get(name) == "" {
			continue
		}
		if err := decode(v.FieldByIndex(field.Index), field.Tag, name, values.Get(name)); err != nil {
			return err
		}
	}
	return nil
}

func decode(f reflect.Value, tag reflect.StructTag, name, value string) error {
	if f.Kind() == reflect.String {
		// The limit counts bytes and not letters, since it limits memory.
		if most, err := strconv.Atoi(tag.Get("maxLength")); err == nil && len(value) > most {
			return invalid(name, "", "It has more than "+tag.Get("maxLength")+" bytes.")
		}
		if list := tag.Get("enum"); list != "" && !slices.Contains(strings.Split(list, ","), value) {
			return invalid(name, value, "It takes "+strings.ReplaceAll(list, ",", ", ")+".")
		}
		f.SetString(value)
		return nil
	}
	// Everything but text is a number: see Encode.
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return invalid(name, value, "It takes a whole number.")
	}
	// A missing tag is not a number, and so sets no limit.
	if least, err := strconv.ParseInt(tag.Get("minimum"), 10, 64); err == nil && n < least {
		return invalid(name, value, "It takes "+tag.Get("minimum")+" at least.")
	}
	if most, err := strconv.ParseInt(tag.Get("maximum"), 10, 64); err == nil && n > most {
		return invalid(name, value, "It takes "+tag.Get("maximum")+" at most.")
	}
	f.SetInt(n)
	return nil
}

// page returns the path of a page of a collection. The name of the collection is in the path and not in the query.
func page(collection, what string, request any) string {
	path := "/" + url.PathEscape(collection)
	if what != "" {
		path += "/" + what
	}
	if request == nil {
		return path
	}
	return withQuery(path, request)
}

// withQuery returns a path with the parameters of a request except for the collection.
func withQuery(path string, request any) string {
	values := Encode(request)
	// The collection is in the path.
	values.Del("collection")
	// A path without parameters has no question mark, so that each page has one address.
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// api returns the path of a resource of the API.
func api(what string, request any) string {
	values := Encode(request)
	if len(values) == 0 {
		return "/api/v1/" + what
	}
	return "/api/v1/" + what + "?" + values.Encode()
}

// flagText returns --name=value for a shell.
func flagText(name, value string) string { return " --" + name + "=" + schemas.ShellWord(value) }

// jobForm returns the page with the form of a command's jobs.
func jobForm(verb string) string { return "/jobs/new?verb=" + verb }
