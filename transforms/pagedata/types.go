package pagedata

import "strings"

// subtypes are types of schema.org whose items are also items of the type before the colon, for the views.
const subtypes = `
Product: IndividualProduct ProductModel ProductGroup ProductCollection SomeProducts Vehicle Car Motorcycle
	BusOrCoach MotorizedBicycle DietarySupplement
Recipe:
Event: BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent DeliveryEvent EducationEvent
	EventSeries ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent PerformingArtsEvent
	PublicationEvent BroadcastEvent OnDemandEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent
	VisualArtsEvent
JobPosting:
Review: CriticReview ReviewNewsArticle EmployerReview MediaReview Recommendation UserReview
ClaimReview:
Dataset: DataFeed CompleteDataFeed StatisticalDataset
FAQPage:
Person: Patient
Organization: Airline Consortium Cooperative Corporation EducationalOrganization CollegeOrUniversity ElementarySchool
	HighSchool MiddleSchool Preschool School FundingScheme GovernmentOrganization LibrarySystem LocalBusiness
	MedicalOrganization NGO NewsMediaOrganization OnlineBusiness OnlineStore PerformingGroup DanceGroup MusicGroup
	TheaterGroup PoliticalParty Project ResearchProject FundingAgency ResearchOrganization SearchRescueOrganization
	SportsOrganization SportsTeam WorkersUnion AnimalShelter ArchiveOrganization AutomotiveBusiness AutoDealer
	AutoRepair AutoRental ChildCare Dentist DryCleaningOrLaundry EmergencyService EmploymentAgency
	EntertainmentBusiness FinancialService AccountingService BankOrCreditUnion InsuranceAgency FoodEstablishment Bakery
	BarOrPub Brewery CafeOrCoffeeShop FastFoodRestaurant IceCreamShop Restaurant Winery GovernmentOffice
	HealthAndBeautyBusiness BeautySalon DaySpa HairSalon HealthClub HomeAndConstructionBusiness Electrician
	GeneralContractor HVACBusiness HousePainter Locksmith MovingCompany Plumber RoofingContractor InternetCafe
	LegalService Attorney Notary Library LodgingBusiness BedAndBreakfast Campground Hostel Hotel Motel Resort
	VacationRental MedicalBusiness MedicalClinic Optician Pharmacy Physician Hospital ProfessionalService
	RadioStation RealEstateAgent RecyclingCenter SelfStorage ShoppingCenter SportsActivityLocation BowlingAlley
	ExerciseGym GolfCourse SkiResort SportsClub StadiumOrArena Store BikeStore BookStore ClothingStore ComputerStore
	ConvenienceStore DepartmentStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore HardwareStore
	HobbyShop HomeGoodsStore JewelryStore LiquorStore MensClothingStore MobilePhoneStore MovieRentalStore MusicStore
	OfficeEquipmentStore OutletStore PawnShop PetStore ShoeStore SportingGoodsStore TireShop ToyStore WholesaleStore
	TelevisionStation TouristInformationCenter TravelAgency
NewsArticle: AnalysisNewsArticle AskPublicNewsArticle BackgroundNewsArticle OpinionNewsArticle ReportageNewsArticle
	ReviewNewsArticle
`

// viewTypes is, for each type that a view shows, the views' types, by the type in lower case; spelling is its own.
var viewTypes, spelling = func() (map[string][]string, map[string]string) {
	of, spelt := map[string][]string{}, map[string]string{}
	view := ""
	for _, word := range strings.Fields(subtypes) {
		if name, ok := strings.CutSuffix(word, ":"); ok {
			view, word = name, name
		}
		key := strings.ToLower(word)
		of[key], spelt[key] = append(of[key], view), word
	}
	return of, spelt
}()

// known returns a bare type in schema.org's spelling, if it is one of the types above.
func known(name string) string {
	if s, ok := spelling[strings.ToLower(name)]; ok {
		return s
	}
	return name
}
