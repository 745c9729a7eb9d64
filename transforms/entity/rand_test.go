package entity

import (
	"strings"
	"testing"
)

// Rands without groups or decimals are amounts if the words around say so, and not roads or models.
func TestExtract_rands(t *testing.T) {
	for text, want := range map[string]string{
		"Price: R499":                           "ZAR 499",
		"Was R999 Now R 499":                    "ZAR 999,ZAR 499",
		"from R1200 a night":                    "ZAR 1200",
		"from R499 to R999 each":                "ZAR 499,ZAR 999",
		"sold for R1500000":                     "ZAR 1500000",
		"houses at R850000":                     "ZAR 850000",
		"Price\nR499\nRent |\tR4500 |":          "ZAR 499,ZAR 4500",
		"only R2 and R3 resistors":              "",
		"replace only R2, R3 and R4":            "",
		"kids R5, adults R10":                   "ZAR 5,ZAR 10",
		"cost R5 and R6.50":                     "ZAR 5,ZAR 6.50",
		"only R20 and R50 notes":                "ZAR 20,ZAR 50",
		"along R55 each way":                    "",
		"bus fare R55 each way":                 "ZAR 55",
		"R399 / month, R25 / kg":                "ZAR 399,ZAR 25",
		"R50 / persoon":                         "ZAR 50",
		"R21 / N12 interchange, R55 / M34":      "",
		"iPad R7999":                            "ZAR 7999",
		"Samsung TV R6999 delivered":            "ZAR 6999",
		"notice R1799 of 26 November":           "",
		"Dell R7425 server":                     "",
		"Only R5!":                              "ZAR 5",
		"save up to R500 today":                 "ZAR 500",
		"a fine of R800 was paid":               "ZAR 800",
		"the R350 grant is paid":                "ZAR 350",
		"the SRD R350 grant":                    "ZAR 350",
		"The R 350 SRD grant":                   "ZAR 350",
		"tomatoes R25/kg":                       "ZAR 25",
		"rent R4500 per month":                  "ZAR 4500",
		"R50 each":                              "ZAR 50",
		"a R200 note":                           "ZAR 200",
		"R200 off":                              "ZAR 200",
		"R499,- cash":                           "ZAR 499",
		"Wallet\nR 499\nAdd to cart":            "ZAR 499",
		"Wallet\nR499\nBag\nR1,299":             "ZAR 499,ZAR 1299",
		"R350 – R1 200":                         "ZAR 350,ZAR 1200",
		"R1 200 R999":                           "ZAR 1200,ZAR 999",
		"| R499 | R12.50 |":                     "ZAR 499,ZAR 12.50",
		"Adults R120, children R60":             "ZAR 120,ZAR 60",
		"vanaf R499 per nag, slegs R99":         "ZAR 499,ZAR 99",
		"more than R 2000":                      "ZAR 2000",
		"R350":                                  "",
		"the R499 adapter":                      "",
		"the R21 and the R350":                  "",
		"R21":                                   "",
		"take the R511 north":                   "",
		"turn left at R511":                     "",
		"from R511 to Pretoria":                 "",
		"from R511 north":                       "",
		"crash on R511 near Hartbeespoort":      "",
		"between R511 and R512":                 "",
		"R21/N12 interchange":                   "",
		"the R21 off-ramp":                      "",
		"R511 off-ramp":                         "",
		"R75 million for R21 upgrade":           "ZAR 75000000",
		"R75 million upgrade of the R511":       "ZAR 75000000",
		"Roads\nR21\nR24\ncost R1,299 each":     "ZAR 1299",
		"parts for R1200 GS":                    "",
		"BMW R1200 GS, R 1150 RT":               "",
		"BMW R 1200 GS":                         "",
		"Renault R 4 of 1970":                   "",
		"Canon EOS R 2000":                      "",
		"camera R 2000":                         "",
		"205/55 R16 and 205/55 R 16 tyres":      "",
		"for R16 rims":                          "",
		"Grade R 2025 and grade R 2025":         "",
		"Golf R 2019 R450 000":                  "ZAR 450000",
		"Type R 2020, GT-R 2017, GT-R 350":      "",
		"He was fined R5000, rooms @ R650 p.m.": "ZAR 5000,ZAR 650",
		"Notice No. R 638 of 22 June":           "",
		"in terms of R638 certificate":          "",
		"notice R 638 of 2018":                  "",
		"refrigerant R 410 refill":              "",
		"gas R22, R134a and R410A":              "",
		"part R00123":                           "",
		"Dell PowerEdge R740 and R640":          "",
		"Ryzen R5 3600X":                        "",
		"statistics with R 4":                   "",
		strings.Repeat("R21 R21\n", 3):          "",
		"from R499 R599 R699 tablets for all":   "ZAR 499,ZAR 599,ZAR 699",
	} {
		if got := amounts(text, "en", "http://a.co.za/"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := amounts(text, "en", "http://a.org/"); got != "" {
			t.Errorf("%q elsewhere: %q", text, got)
		}
	}
}
