package entity

import "testing"

// TestExtract_statedCurrency: a currency after an amount decides what a sign of several currencies means.
func TestExtract_statedCurrency(t *testing.T) {
	testAmounts(t, []amountTest{
		{"from $17 CAD a month", "en", "", "CAD 17"},
		{"rent of $1,200 AUD a week", "en", "http://a.com/", "AUD 1200"},
		{"un boleto de $350.50 MXN por persona", "es", "http://a.com/", "MXN 350.50"},
		{"worth $5 million CAD, he said", "en", "", "CAD 5000000"},
		{"it is $20 USD at most", "en", "http://a.ca/", "USD 20"},
		{"it is $20USD at most", "en", "http://a.ca/", "USD 20"},
		{"it is $5MCAD at most", "en", "", ""},
		{"it is $20USDT at most", "en", "", ""},
		{"it is $20 USD", "en", "", "USD 20"},
		{"about $1.3 billion US in all", "en", "http://a.ca/", "USD 1300000000"},
		{"about $1.3 billion US companies", "en", "http://a.au/", "AUD 1300000000"},
		{"some $45 CDN each", "en", "", "CAD 45"},
		{"售价 ¥500 RMB 一个", "en", "", "CNY 500"},
		{"kr 500 DKK per dag", "sv", "", "DKK 500"},
		{"only Rs 500 PKR here", "en", "", "PKR 500"},
		{"cuesta $1,500 pesos mexicanos", "es", "http://a.com/", "MXN 1500"},
		{"cuesta $1,500 pesos", "es", "http://a.com.mx/", "MXN 1500"},
		{"cuesta $1.500 pesos", "es", "http://a.com/", ""},
		{"una deuda de $5 millones de pesos argentinos", "es", "http://a.com/", "ARS 5000000"},
		{"cuesta $1,500 dólares", "es", "http://a.com.mx/", "USD 1500"},
		{"una deuda de $5 millones de dólares", "es", "http://a.com.mx/", "USD 5000000"},
		{"from $25,000 - $48,999 CAD", "en", "", "CAD 25000,CAD 48999"},
		{"between $25 and $48 AUD", "en", "", "AUD 25,AUD 48"},
		{"from $2 to $3 million CAD", "en", "", "CAD 2000000,CAD 3000000"},
		{"de $500 a $900 pesos mexicanos", "es", "", "MXN 500,MXN 900"},
		{"de $500 a $900 pesos", "es", "", ""},
		{"$300–$400 USD", "en", "http://a.ca/", "USD 300,USD 400"},
		{"$300–400 CAD", "en", "", "CAD 300,CAD 400"},
		{"$20, then $30 CAD", "en", "", "USD 20,CAD 30"},
		// The code of the next amount, or another word.
		{"prices: $20 CAD 27 and more", "en", "", "USD 20,CAD 27"},
		{"US$20 CAD files", "en", "", "USD 20"},
		{"USD 20 CAD", "en", "", "USD 20"},
		{"$20 EUR", "en", "", "USD 20"},
		{"pay $20 US-wide", "en", "http://a.ca/", "CAD 20"},
		{"a $50 SGDs", "en", "", "USD 50"},
		{"a $50/CAD file", "en", "", "USD 50"},
	})
}

// TestExtract_nextCurrency: a currency before the next amount is not of the one before it.
func TestExtract_nextCurrency(t *testing.T) {
	testAmounts(t, []amountTest{
		{"Før kr. 499 kr. 299", "da", "http://a.dk/", "DKK 499,DKK 299"},
		{"Før kr. 1.499,00 kr. 1.299,00", "da", "http://a.dk/", "DKK 1499.00,DKK 1299.00"},
		{"$110 US$75", "en", "http://a.ca/", "CAD 110,USD 75"},
		{"$9,350 USD$550", "es", "http://a.mx/", "MXN 9350,USD 550"},
		{"$110 NZD$120", "en", "http://a.au/", "AUD 110,NZD 120"},
		{"US $25.00 CAD $33.00", "en", "", "USD 25.00,CAD 33.00"},
		{"only $17 CAD. 25 people came", "en", "", "CAD 17"},
		{"cuesta $350 o 20 USD", "es", "http://a.mx/", "MXN 350,USD 20"},
		{"cuesta $350 - 20 USD", "es", "http://a.mx/", "MXN 350,USD 20"},
		{"from $1 to 1.36 CAD", "en", "", "USD 1,CAD 1.36"},
	})
}

// TestExtract_countryOfDollar: abbreviations of countries after dollars.
func TestExtract_countryOfDollar(t *testing.T) {
	testAmounts(t, []amountTest{
		{"the $1.2 billion US Steel takeover", "en", "http://a.ca/", "CAD 1200000000"},
		{"for $20 US users", "en", "http://a.ca/", "CAD 20"},
		{"$40 US Open tickets", "en", "http://a.ca/", "CAD 40"},
		{"at $70.25 US a barrel", "en", "http://a.com.au/", "USD 70.25"},
		{"a $1.3-billion (U.S.) deal", "en", "http://a.ca/", "USD 1300000000"},
		{"it is $20 U.S. now", "en", "http://a.com/", "USD 20"},
		{"some $45 Cdn each, $22.99 CAN", "en", "", "CAD 45,CAD 22.99"},
		{"environ 20 $ US, 25 $ CA ou 30 $ CAD", "fr", "", "USD 20,CAD 25,CAD 30"},
		{"une somme de 1,5 M$ US", "fr", "http://a.ca/", "USD 1500000"},
		{"environ 20 $ par mois", "fr", "http://a.ca/", "CAD 20"},
		{"son U$S 350 y u$s 1.200", "es", "http://a.com.ar/", "USD 350,USD 1200"},
		{"Precio $350 M.N.", "es", "http://a.com.mx/", "MXN 350"},
		{"worth $A300,000 in all", "en", "http://a.com.au/", "AUD 300000"},
		{"500 dólares canadienses", "es", "", "CAD 500"},
		{"500 dollars canadiens", "fr", "", "CAD 500"},
	})
}

// TestExtract_pesos: pesos of the country that a page or its text names.
func TestExtract_pesos(t *testing.T) {
	testAmounts(t, []amountTest{
		{"cuesta 500 pesos", "es", "http://a.com.mx/", "MXN 500"},
		{"cuesta 500 pesos", "es", "http://a.com.ar/", "ARS 500"},
		{"cuesta 3 millones de pesos", "es", "http://a.com.co/", "COP 3000000"},
		{"cuesta 500 pesos", "es", "http://a.com/", ""},
		{"cuesta 500 pesos mexicanos", "es", "http://a.com/", "MXN 500"},
		{"cuesta 500 pesos chilenos", "es", "http://a.es/", "CLP 500"},
		{"it costs 500 pesos", "en", "http://a.ph/", "PHP 500"},
		{"500 Mexican pesos", "en", "", "MXN 500"},
		{"levanta 500 pesos pesados", "es", "http://a.com.mx/", ""},
		{"12 pesos pluma y 200 pesos muertos", "es", "http://a.com.mx/", ""},
	})
}

// TestExtract_signBeforeCountry: letters of a country between the sign and the amount, as in Australia.
func TestExtract_signBeforeCountry(t *testing.T) {
	testAmounts(t, []amountTest{
		{"sold for $US20 million", "en", "http://a.au/", "USD 20000000"},
		{"sold for $US 12.50 each", "en", "", "USD 12.50"},
		{"sold for $NZ300 each", "en", "", "NZD 300"},
		{"sold for $HK1.5 billion", "en", "", "HKD 1500000000"},
		{"sold for $CA40 each", "en", "", "CAD 40"},
		{"cell $A20 or $C5", "en", "", ""},
		{"let $USA20 be", "en", "", ""},
		{"x$US20", "en", "", ""},
	})
}

// TestExtract_joinedAmounts: amounts that end or begin without a space, and hyphens.
func TestExtract_joinedAmounts(t *testing.T) {
	testAmounts(t, []amountTest{
		{"war: 39€.29€ jetzt", "de", "", "EUR 39,EUR 29"},
		{"was: £39.£29 now", "en", "", "GBP 39,GBP 29"},
		{"était 39,50 €.29,50 €", "fr", "", "EUR 39.50,EUR 29.50"},
		{"only .75 €", "de", "", ""},
		{"v1.2.75 €", "de", "", ""},
		{"the 1.2-billion-yuan telescope", "en", "", "CNY 1200000000"},
		{"a 10-million-euro contract", "en", "", "EUR 10000000"},
		{"ein 5-Millionen-Euro-Projekt", "de", "", "EUR 5000000"},
		{"a 20-euro note", "en", "", "EUR 20"},
		{"10-million-year-old rocks", "en", "", ""},
		{"see top-10-euro-trucks and win-500-euro-now.html", "en", "", ""},
	})
}

// TestExtract_statedMention: the currency after an amount is part of the mention.
func TestExtract_statedMention(t *testing.T) {
	for _, want := range []string{
		"$17 CAD", "$20USD", "$5 million MXN", "$45 CDN", "Rs 500 PKR", "$1,500 pesos mexicanos",
	} {
		text := "from " + want + " a month"
		for _, e := range Extract(Input{Text: text}, Options{}) {
			if m := e.Mentions[0]; text[m.Start:m.End] != want {
				t.Errorf("%s is at %q, want %q", e.ID, text[m.Start:m.End], want)
			}
		}
	}
}

// The country may be in the name of the currency, before or after it. A singular is mostly of a headline, and the
// currency after a year may state the prices of that year.
func TestExtract_currencyOfCountry(t *testing.T) {
	testAmounts(t, []amountTest{
		{"costs 25 Canadian dollars", "en", "http://a.com/", "CAD 25"},
		{"costs 25 million Hong Kong dollars", "en", "http://a.com.au/", "HKD 25000000"},
		{"costs 25 Swiss Francs or 30 pounds sterling", "en", "", "CHF 25,GBP 30"},
		{"costs $500 Mexican pesos", "en", "http://a.com/", "MXN 500"},
		{"2 milliards de dollars jamaïcains", "fr", "", "JMD 2000000000"},
		{"10 millions de francs CFA", "fr", "", "XOF 10000000"},
		{"10 000 francs CFA", "fr", "http://a.cm/", "XAF 10000"},
		{"1 000 dollars US", "fr", "http://a.ca/", "USD 1000"},
		{"300 soles peruanos y 300 libras esterlinas", "es", "", "PEN 300,GBP 300"},
		{"für 50 australische Dollar, mit 50 kanadischen Dollar", "de", "", "AUD 50,CAD 50"},
		{"50 Hongkong-Dollar oder 2015 Schweizer Franken", "de", "", "HKD 50,CHF 2015"},
		{"50 franchi svizzeri", "it", "", "CHF 50"},
		{"50 dolarów kanadyjskich", "pl", "", "CAD 50"},
		{"50 белорусских рублей, 50 чешских крон", "ru", "http://a.ru/", "BYN 50,CZK 50"},
		{"50캐나다 달러", "ko", "", "CAD 50"},
		{"100 ريال قطري", "ar", "", "QAR 100"},
		{"Dec 1 Canadian dollar falls", "en", "", ""},
		{"top 10 Canadian dollar stores", "en", "", ""},
		{"1965 Canadian Dollar", "en", "", ""},
		{"constant 2015 US dollars, in 2015 USD, (in 2010 euros)", "en", "", ""},
		{"paid 2015 US dollars", "en", "", "USD 2015"},
	})
}
