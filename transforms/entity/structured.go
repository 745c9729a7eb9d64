package entity

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Sixteen levels are more than any publisher has; the walk is recursive.
const (
	maxNesting = 16  // of structured data
	maxName    = 200 // bytes: longer names are sentences
)

// Confidence of structured data. Publishers state it, but templates repeat and get stale; microdata more so, since its
// values are any text of the element.
const (
	sureJSONLD    = 0.95
	sureMicrodata = 0.9
	sureMember    = 0.6 // of a person who wrote a post or comment under a plausible name
)

// kinds are schema.org types that name an entity. Articles, web pages and the like are missing, since they are the
// page itself. Unknown types are not guessed.
var kinds = func() map[string]string {
	types := map[string]string{
		"person": "Person",
		"organization": "Organization Airline Consortium Corporation EducationalOrganization CollegeOrUniversity School " +
			"HighSchool ElementarySchool MiddleSchool Preschool GovernmentOrganization LibrarySystem LocalBusiness " +
			"MedicalOrganization Hospital NGO NewsMediaOrganization OnlineBusiness OnlineStore PerformingGroup MusicGroup " +
			"DanceGroup TheaterGroup PoliticalParty ResearchOrganization SportsOrganization SportsTeam WorkersUnion Brand " +
			"AutoDealer Bakery BarOrPub CafeOrCoffeeShop Dentist FinancialService Hotel LegalService Library LodgingBusiness " +
			"MedicalBusiness ProfessionalService RealEstateAgent Restaurant Store TravelAgency",
		"place": "Place AdministrativeArea City Country State Airport Beach BodyOfWater Bridge Cemetery Church " +
			"CivicStructure " +
			"Continent LakeBodyOfWater Landform LandmarksOrHistoricalBuildings Mountain Museum Park RiverBodyOfWater " +
			"StadiumOrArena TouristAttraction TouristDestination TrainStation Zoo",
		"product": "Product IndividualProduct ProductGroup ProductModel Vehicle Car Drug",
		"event": "Event BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent EducationEvent " +
			"EventSeries ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent PublicationEvent SaleEvent " +
			"ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent",
		"work": "CreativeWork Book BookSeries ComicSeries Course Dataset Game Movie MovieSeries MobileApplication " +
			"MusicAlbum " +
			"MusicComposition MusicRecording Newspaper Painting Periodical Photograph Play PodcastEpisode PodcastSeries " +
			"RadioSeries Recipe Sculpture SheetMusic SoftwareApplication SoftwareSourceCode TVEpisode TVSeries Thesis " +
			"VideoGame VideoGameSeries VisualArtwork WebApplication",
	}
	m := map[string]string{}
	for kind, list := range types {
		for name := range strings.FieldsSeq(list) {
			m[name] = kind
		}
	}
	return m
}()

// walker walks structured data, within its budget. nodes is shared by all structured data of a page, c and phones by
// all layers.
type walker struct {
	c          *collector
	phones     *phones
	nodes      int
	source     string
	confidence schemas.Float
	forum      bool // the current data belongs to a post or a comment
}

// addJSONLD adds the entities of nodes and of nested nodes.
func addJSONLD(c *collector, nodes []jsonld.Node, p *phones, budget int) {
	w := walker{c: c, phones: p, nodes: budget, source: sourceJSONLD, confidence: sureJSONLD}
	for _, n := range nodes {
		w.node(n, maxNesting)
	}
}

func (w *walker) node(n jsonld.Node, depth int) {
	// The budget falls below zero and stays there: all later nodes return at once.
	if w.nodes--; w.nodes < 0 || depth == 0 {
		return
	}
	first := func(names ...string) string {
		for _, name := range names {
			if v := n.String(name); v != "" {
				return v
			}
		}
		return ""
	}
	types := n.Types()
	// Most nodes are articles, pages and pictures, which are not entities.
	if slices.ContainsFunc(types, func(t string) bool { return kinds[t] != "" }) {
		ids := append([]string{first("@id")}, first("url"))
		w.entity(types, first("name", "legalName"), append(ids, n.Strings("sameAs")...))
	}
	w.contact(n.Strings("email"), n.Strings("telephone"), n.Strings("isbn"))
	w.c.priced(n.Strings("priceCurrency")...)
	defer w.enter(types)()
	// Only these can have nodes, and most values are texts.
	var parents []string
	for name, value := range n {
		switch value.(type) {
		case map[string]any, []any:
			parents = append(parents, name)
		}
	}
	// Sorted, because maps have no order and the budget may end anywhere.
	slices.Sort(parents)
	for _, name := range parents {
		for _, child := range n.Child(name) {
			w.node(child, depth-1)
		}
	}
}

// addMicrodata adds the entities of items and of nested items. The nesting is bounded, as the page's author made it.
func addMicrodata(c *collector, items []*page.Item, p *phones, budget int) {
	w := walker{c: c, phones: p, nodes: budget, source: sourceMicrodata, confidence: sureMicrodata}
	w.forum = hasMembers(items)
	for _, item := range items {
		w.item(item, maxNesting)
	}
}

func (w *walker) item(item *page.Item, depth int) {
	if w.nodes--; w.nodes < 0 || depth == 0 {
		return
	}
	types := make([]string, len(item.Type))
	for i, t := range item.Type {
		types[i] = t[strings.LastIndexAny(t, "/#")+1:]
	}
	// Type URLs end with the type's name.
	leave := w.enter(types)
	values := map[string][]string{}
	for _, p := range item.Props {
		if p.Item != nil {
			w.item(p.Item, depth-1)
		} else if v := strings.TrimSpace(p.Value); v != "" {
			values[p.Name] = append(values[p.Name], v)
		}
	}
	name := ""
	if names := slices.Concat(values["name"], values["legalName"]); len(names) > 0 {
		name = names[0]
	}
	leave()
	w.entity(types, name, slices.Concat([]string{item.ID}, values["url"], values["sameAs"]))
	w.contact(values["email"], values["telephone"], values["isbn"])
	w.c.priced(values["priceCurrency"]...)
}

// entity adds an entity with a name, if one of the types names an entity.
func (w *walker) entity(types []string, name string, ids []string) {
	if name == "" || len(name) > maxName || isURL(name) {
		// A sentence or a URL as a name is a template's mistake.
		return
	}
	for _, t := range types {
		// The first type that names an entity; further types are mostly more general.
		if kind := kinds[t]; kind != "" {
			sure := w.confidence
			if kind == typePerson {
				if isAccount(name, w.forum) {
					return
				}
				if w.forum {
					sure = sureMember
				}
				start, end := personName(name)
				name = name[start:end]
			}
			w.c.add(schemas.Entity{
				Type: kind, Text: name, Source: w.source, ID: identifier(ids), Confidence: sure,
			})
			return
		}
	}
}

// contact adds mail addresses and numbers from properties. Invalid ones are dropped: structured data contains
// placeholders.
func (w *walker) contact(emails, telephones, isbns []string) {
	for _, v := range emails {
		addresses := linkedAddresses(v)
		if addresses == nil {
			addresses = []string{v}
		}
		for _, v := range addresses {
			if id := emailID(v); id != "" {
				w.c.add(schemas.Entity{Type: typeEmail, Text: v, Source: w.source, ID: id, Confidence: w.confidence})
			}
		}
	}
	for _, v := range telephones {
		if numbers := linkedNumbers(v); len(numbers) > 0 {
			v = numbers[0]
		}
		if id := w.phones.check(v); id != "" {
			w.c.add(schemas.Entity{Type: typePhone, Text: v, Source: w.source, ID: id, Confidence: w.confidence})
		}
	}
	for _, v := range isbns {
		if id := isbnID(v); id != "" {
			w.c.add(schemas.Entity{Type: typeISBN, Text: v, Source: w.source, ID: id, Confidence: w.confidence})
		}
	}
}
