package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
)

// FilesetRequest asks for the files of a dataset. It has the fields of Sandcrawler's ingest requests that we use, and
// keeps all others. Decoded and encoded JSON has the same members and values.
type FilesetRequest struct {
	Type       string            `json:"ingest_type"` // dataset
	BaseURL    string            `json:"base_url"`    // of the landing page, or of what leads to it
	LinkSource string            `json:"link_source,omitempty"`
	LinkID     string            `json:"link_source_id,omitempty"`
	Source     string            `json:"ingest_request_source,omitempty"`
	Stage      string            `json:"release_stage,omitempty"`
	Recrawl    bool              `json:"force_recrawl,omitempty"`
	IDs        map[string]string `json:"ext_ids,omitempty"` // doi, pmcid, …
	Fatcat     *RequestFatcat    `json:"fatcat,omitempty"`

	raw json.RawMessage // as it came; nil for one made here
}

// RequestFatcat says which entities of a catalogue a request is about.
type RequestFatcat struct {
	Release string `json:"release_ident,omitempty"`
	Work    string `json:"work_ident,omitempty"`
}

// errNotObject is JSON that is not an object.
var errNotObject = errors.New("an ingest request is a JSON object")

// known is a FilesetRequest without its methods.
type known FilesetRequest

// UnmarshalJSON keeps all members. Known ones that are of another type than they should be are an error, except for
// those that only travel through: link_source, ext_ids and the like may hold null or numbers.
func (r *FilesetRequest) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '{' {
		return errNotObject
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	var k known
	for name, to := range map[string]any{"ingest_type": &k.Type, "base_url": &k.BaseURL, "force_recrawl": &k.Recrawl} {
		if value, ok := members[name]; ok {
			if err := json.Unmarshal(value, to); err != nil {
				return &FieldError{Field: name, Err: err}
			}
		}
	}
	// Unknown members stay in raw, which is passed on.
	for name, to := range map[string]any{
		"link_source": &k.LinkSource, "link_source_id": &k.LinkID, "ingest_request_source": &k.Source,
		"release_stage": &k.Stage, "fatcat": &k.Fatcat,
	} {
		_ = json.Unmarshal(members[name], to)
	}
	k.IDs = texts(members["ext_ids"])
	*r = FilesetRequest(k)
	r.raw = bytes.Clone(b) // b is the decoder's
	return nil
}

// texts are the members of an object that are texts.
func texts(object json.RawMessage) map[string]string {
	var members map[string]any
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	var found map[string]string
	for name, value := range members {
		if text, ok := value.(string); ok {
			if found == nil {
				found = map[string]string{}
			}
			found[name] = text
		}
	}
	return found
}

// MarshalJSON gives the request as it came, or one made here by its fields.
func (r FilesetRequest) MarshalJSON() ([]byte, error) {
	if r.raw != nil {
		return r.raw, nil
	}
	return json.Marshal(known(r))
}

// WithType is the request with another ingest type, and all else as it is. Members are sorted by name then.
func (r FilesetRequest) WithType(name string) (FilesetRequest, error) {
	r.Type = name
	if r.raw == nil {
		return r, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(r.raw, &members); err != nil {
		return r, err
	}
	value, err := json.Marshal(name)
	if err != nil {
		return r, err
	}
	members["ingest_type"] = value
	r.raw, err = json.Marshal(members)
	return r, err
}

// FieldError is a member of a JSON object that is not what it should be.
type FieldError struct {
	Field string
	Err   error
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the decoder's error.
func (e *FieldError) Unwrap() error { return e.Err }
