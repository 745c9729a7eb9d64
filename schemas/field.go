package schemas

import "strings"

// FieldValue returns the value of the first of fields that is called name (any case), or "".
func FieldValue(fields []Field, name string) string {
	for i := range fields {
		if strings.EqualFold(fields[i].Name, name) {
			return fields[i].Value
		}
	}
	return ""
}
