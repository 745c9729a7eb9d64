package pagedata

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// View is a table of the items of one type and its subtypes, with a column for each property that matters.
type View struct {
	Name    string // of the table: products
	Type    string // Product
	Format  string // the microformat with such items, or ""
	Columns []ViewColumn
}

// ViewColumn is a column of a view. Its values are those of the first path that leads to any.
type ViewColumn struct {
	Name  string
	List  bool // it has all values; other columns have the first
	paths [][]string
}

// ViewRow is an item of a view. Values has the values of each column, none if the item has none.
type ViewRow struct {
	Syntax, Type, ID string
	Item             int
	Values           [][]string
}

// viewTable defines the views: name, type and microformat, then columns. A column is a property of its own name, or has
// paths of properties after =, with | between alternatives. A star marks lists.
const viewTable = `
products Product h-product: name brand sku gtin=gtin|gtin13|gtin14|gtin12|gtin8|identifier mpn category description
	image=image.url|image.contentUrl|image|photo link=url
	price=offers.price|offers.lowPrice|offers.priceSpecification.price|price
	currency=offers.priceCurrency|offers.priceSpecification.priceCurrency|priceCurrency
	availability=offers.availability condition=offers.itemCondition|itemCondition seller=offers.seller
	rating=aggregateRating.ratingValue ratings=aggregateRating.ratingCount|aggregateRating.reviewCount
recipes Recipe h-recipe: name author description image=image.url|image.contentUrl|image|photo
	ingredients*=recipeIngredient|ingredients|ingredient
	instructions*=recipeInstructions.text|recipeInstructions.itemListElement.text|recipeInstructions|instructions
	yield=recipeYield|yield prep_time=prepTime cook_time=cookTime total_time=totalTime|duration
	category=recipeCategory|category cuisine=recipeCuisine calories=nutrition.calories
	rating=aggregateRating.ratingValue ratings=aggregateRating.ratingCount|aggregateRating.reviewCount
	published=datePublished
events Event h-event: name start=startDate|start end=endDate|end status=eventStatus location=location.name|location
	street=location.address.streetAddress|location.street-address
	city=location.address.addressLocality|location.locality
	country=location.address.addressCountry.name|location.address.addressCountry|location.country-name
	organizer performer* price=offers.price|offers.lowPrice currency=offers.priceCurrency description link=url
job_postings JobPosting: title organization=hiringOrganization employment_type*=employmentType
	city=jobLocation.address.addressLocality region=jobLocation.address.addressRegion
	country=jobLocation.address.addressCountry.name|jobLocation.address.addressCountry remote=jobLocationType
	salary=baseSalary.value.value|baseSalary.value.minValue|baseSalary.minValue|baseSalary
	salary_max=baseSalary.value.maxValue|baseSalary.maxValue currency=baseSalary.currency|salaryCurrency
	unit=baseSalary.value.unitText posted=datePosted valid_through=validThrough description
reviews Review h-review: about=itemReviewed.name|itemReviewed|item.name|item author
	rating=reviewRating.ratingValue|rating best=reviewRating.bestRating|best
	worst=reviewRating.worstRating|worst published=datePublished|reviewed
	title=name|headline text=reviewBody|description|content publisher
claim_reviews ClaimReview: claim=claimReviewed rating=reviewRating.ratingValue
	verdict=reviewRating.alternateName|reviewRating.name best=reviewRating.bestRating worst=reviewRating.worstRating
	author publisher published=datePublished link=url
	claimant=itemReviewed.author.name|itemReviewed.author claimed=itemReviewed.datePublished
	appearance*=itemReviewed.appearance|itemReviewed.firstAppearance
datasets Dataset: name description license creator* publisher published=datePublished modified=dateModified version
	identifier* keywords* distribution*=distribution.contentUrl format*=distribution.encodingFormat
	spatial=spatialCoverage temporal=temporalCoverage link=url
faqs FAQPage: questions*=mainEntity.name answers*=mainEntity.acceptedAnswer.text
persons Person h-card: name given_name=givenName|given-name family_name=familyName|family-name
	job_title=jobTitle|job-title organization=worksFor|affiliation|org email telephone=telephone|tel link=url same_as*=sameAs
	image=image.url|image.contentUrl|image|photo description=description|note birth_date=birthDate|bday
organizations Organization: name legal_name=legalName link=url logo=logo.url|logo.contentUrl|logo
	street=address.streetAddress city=address.addressLocality region=address.addressRegion
	postal_code=address.postalCode country=address.addressCountry.name|address.addressCountry
	telephone email latitude=geo.latitude longitude=geo.longitude same_as*=sameAs founded=foundingDate
	opening_hours*=openingHours price_range=priceRange rating=aggregateRating.ratingValue
	ratings=aggregateRating.ratingCount|aggregateRating.reviewCount
news_articles NewsArticle: headline author* publisher published=datePublished modified=dateModified
	section=articleSection description text=articleBody keywords*
	image=image.url|image.contentUrl|image free=isAccessibleForFree link=url|mainEntityOfPage
`

var views = func() (list []View) {
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(viewTable), "\n\t", " "), "\n") {
		head, columns, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		v := View{Name: words[0], Type: words[1], Format: strings.Join(words[2:], "")}
		for word := range strings.FieldsSeq(columns) {
			name, paths, ok := strings.Cut(word, "=")
			name, list := strings.CutSuffix(name, "*")
			if !ok {
				paths = name
			}
			c := ViewColumn{Name: name, List: list}
			for path := range strings.SplitSeq(paths, "|") {
				c.paths = append(c.paths, strings.Split(path, "."))
			}
			v.Columns = append(v.Columns, c)
		}
		list = append(list, v)
	}
	return list
}()

// Views returns the views.
func Views() []View { return views }

// has reports whether items of a type belong to the view.
func (v *View) has(kind string) bool {
	return kind == v.Type || v.Format != "" && kind == v.Format ||
		slices.Contains(viewTypes[strings.ToLower(kind)], v.Type)
}

// Rows returns the items of the view among the rows of one page, in their order.
func (v *View) Rows(page []schemas.Datum) (list []ViewRow) {
	var of map[int][]schemas.Datum
	for i := 0; i < len(page); {
		end := i + 1
		for end < len(page) && page[end].Item == page[i].Item {
			end++
		}
		is := v.has(page[i].Type)
		for k := i; k < end && !is; k++ {
			is = page[k].Property == "@type" && v.has(page[k].Value)
		}
		if is {
			// Only pages with such items need the map of all.
			if of == nil {
				of = byItem(page)
			}
			r := ViewRow{Syntax: page[i].Syntax, Type: page[i].Type, ID: page[i].ID, Item: page[i].Item}
			for k := range v.Columns {
				r.Values = append(r.Values, v.Columns[k].values(of, page[i].Item))
			}
			list = append(list, r)
		}
		i = end
	}
	return list
}

func byItem(page []schemas.Datum) map[int][]schemas.Datum {
	of := map[int][]schemas.Datum{}
	for start := 0; start < len(page); {
		end := start + 1
		for end < len(page) && page[end].Item == page[start].Item {
			end++
		}
		of[page[start].Item] = page[start:end]
		start = end
	}
	return of
}

// values are those of the first path that leads to any; only the first of them unless the column is a list.
func (c *ViewColumn) values(of map[int][]schemas.Datum, item int) []string {
	for _, path := range c.paths {
		if list := follow(nil, of, item, path); len(list) > 0 {
			if !c.List {
				return list[:1]
			}
			return list
		}
	}
	return nil
}

// follow appends the values at the end of a path. The path is short, and items are numbered from parent to child, so
// this ends.
func follow(list []string, of map[int][]schemas.Datum, item int, path []string) []string {
	for i := range of[item] {
		d := &of[item][i]
		if d.Property != path[0] || len(list) >= maxValues {
			continue
		}
		switch {
		case len(path) > 1 && d.Child != nil && *d.Child > item:
			list = follow(list, of, *d.Child, path[1:])
		case len(path) > 1:
		case d.Child != nil:
			if name := nameOf(of[*d.Child]); name != "" {
				list = append(list, name)
			}
		case d.Value != "":
			list = append(list, d.Value)
		}
	}
	return list
}

// maxValues bounds the values of a cell.
const maxValues = 1_000

// nameOf is what an item is called: its name, or else its text, URL or id.
func nameOf(rows []schemas.Datum) string {
	for _, property := range []string{"name", "text", "url"} {
		for i := range rows {
			if rows[i].Property == property && rows[i].Value != "" {
				return rows[i].Value
			}
		}
	}
	if len(rows) > 0 {
		return rows[0].ID
	}
	return ""
}
