package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// dateWords are words for "date" that alone are a label of publication.
var dateWords = []string{"date", "datum", "fecha", "data", "дата", "tarih", "時間", "时间"}

// moreDateWords are further ones, which say nothing without another word.
var moreDateWords = []string{
	"dato", "dátum", "päivä", "tanggal", "tarikh", "ngày", "dzień", "deň", "ημερομηνία", "תאריך", "تاريخ",
	"تاریخ", "तिथि", "तारीख", "วันที่", "日期", "日時", "日付", "月日", "期間", "期间", "일시", "날짜", "일자",
}

// otherDays begin words for days of persons, memberships, events and orders. Words for the begin are missing, since
// forums name the day of a thread's first post so.
var otherDays = strings.Fields(`
	when wann quand cuándo quando wanneer när hvornår milloin kiedy kdy kdaj когда коли check-in check-out checkin
	checkout built filing priority grant birth death died join regist enrol due event closing close expir deliver
	ship dispatch arriv depart experience visit wedding purchase order invoice payment hearing incorporat
	establish geburt sterbe todes anmeld registrier ablauf verfall beitritt eintritt liefer ankunft abreise
	anreise veranstaltung gründung bestell rechnung kauf prüfung hochzeit geboorte overlijden inschrijf ingang
	verval leverdatum levering aankomst vertrek sluiting einddatum födelse slutdatum fødsel syntymä naissance
	décès limite clôture événement évènement inscription adhésion livraison expiration arrivée départ commande
	embauche nacimiento fallecimiento límite cierre vencimiento caducidad entrega evento registro ingreso llegada
	salida inscripción nascimento falecimento encerramento validade registo cadastro inscrição chegada partida
	nascita morte decesso scadenza chiusura consegna iscrizione registrazione arrivo partenza acquisto рожд смерт
	регистрац оконч заверш мероприят событ доставк отправк прибыт выезд заезд вступл покупк заказ истеч народж
	реєстрац закінч події urodz śmierci zgonu rejestr zakończ ważn wydarz dostaw dołącz przyjazd wyjazd zamówi
	naroz úmrt registrac ukonč konán dodán platnost születés lejárat nașter nasterii decesului expirăr înregistr
	doğum ölüm kayıt üyelik katılım bitiş etkinlik teslim lahir sinh γέννησης θανάτου λήξης الميلاد ميلاد الوفاة
	التسجيل الانضمام الانتهاء التسليم تولد عضویت לידה פטירה जन्म เกิด`)

// beginsAlone are labels of an event's or a job's days if no word for date is beside them.
var beginsAlone = strings.Fields(
	"start beginn begin début inicio início inizio начало początek başlangıç end ende fin fine fim конец from to")

// otherWideDays do the same within words, in scripts without spaces and in Korean. "生--" is 生年月日 after findDate.
var otherWideDays = []string{
	"生年", "生--", "誕生", "生日", "出生", "注册", "註冊", "加入", "入会", "到期", "活动", "活動", "结束", "結束", "截止", "报名", "報名",
	"開催", "締切", "期限", "有効", "納期", "終了", "가입", "생년", "생일", "출생", "마감", "종료", "행사", "만료", "배송",
}

// otherEnds end right before a day of something else. A word such as "on" may be between.
var otherEnds = []string{
	"received", "accepted", "argued", "available", "available from", "in stock", "ships", "verfügbar ab", "erhältlich ab",
	"lieferbar ab", "disponible", "disponible à partir du", "disponible desde", "disponível a partir de",
	"disponibile dal", "leverbaar vanaf",
	"signed up", "last seen", "last active", "last activity", "last login", "last visit", "last online",
	"zuletzt online", "zuletzt aktiv", "letzter besuch", "letzte anmeldung", "dernière visite", "dernière connexion",
	"última visita", "última conexión", "último acceso", "último acesso", "ultima visita", "ultimo accesso",
	"laatst actief", "laatst gezien", "последний визит", "последняя активность", "был на сайте", "был в сети",
	"ostatnia wizyta", "ostatnio online", "son görülme", "son giriş", "最后登录", "上次登录", "最後登入", "上次登入",
	"最后访问", "最后活动", "最終ログイン", "마지막 로그인",
}

// Labels with a word for date have several other words, and those with a colon alone have few.
const (
	maxDayWords   = 6
	maxColonWords = 2
)

// isOtherDay reports whether a text before a date, in lower case, ends in the label of another day: "date of birth",
// "到期时间". Such a label has a word for date, or a colon, or is one of otherEnds.
func isOtherDay(before string) bool {
	text := lastLabel(before)
	bare := strings.TrimRight(text, ":： ")
	if endsOther(bare) {
		return true
	}
	most := maxDayWords
	named := lastOf(text, dateWords) >= 0
	if !named && lastOf(text, moreDateWords) < 0 && !strings.HasSuffix(bare, "日") && !strings.HasSuffix(bare, "일") {
		if most = maxColonWords; bare == text {
			return false
		}
	}
	words := strings.FieldsFunc(bare, func(r rune) bool { return isNotLetter(r) && r != '-' })
	if len(words) > most {
		return false
	}
	begins := func(w string) bool { return slices.Contains(beginsAlone, w) }
	return lastOf(bare, otherWideDays) >= 0 || slices.ContainsFunc(words, isOtherDayWord) ||
		!named && len(words) <= maxColonWords && slices.ContainsFunc(words, begins)
}

// lastLabel returns the last label of a line: the text after other ones, numbers and punctuation. It is "" if the value
// of an earlier label precedes it, since nothing divides the two.
func lastLabel(text string) string {
	text = strings.TrimSpace(text)
	end := len(strings.TrimRight(text, ":： "))
	start := 1 + strings.LastIndexFunc(text[:end], func(r rune) bool {
		return unicode.IsDigit(r) || strings.ContainsRune(".|;,\n·•(–—", r)
	})
	start = max(start, 1+strings.LastIndex(text[:end], " - "))
	if strings.ContainsAny(text[start:end], ":：") {
		return ""
	}
	return strings.TrimLeftFunc(text[start:], isNotLetter)
}

// endsOther reports whether a text ends in one of otherEnds, and maybe a word such as "on".
func endsOther(text string) bool {
	shorter := text
	if i := strings.LastIndexByte(text, ' '); i > 0 && utf8.RuneCountInString(text[i+1:]) <= maxPreposition {
		shorter = text[:i]
	}
	return slices.ContainsFunc(otherEnds, func(end string) bool {
		return strings.HasSuffix(text, end) || strings.HasSuffix(shorter, end)
	})
}

// isRange reports whether the text between two dates makes them the ends of a time, such as a life or a trip.
func isRange(between string) bool {
	return slices.Contains(rangeWords, strings.ToLower(strings.TrimSpace(between)))
}

// endsRange reports whether a text ends with a day and such a word. Days before 1990 are not found as dates.
func endsRange(before string) bool {
	words := strings.Fields(before)
	n := len(words)
	return n > 2 && slices.Contains(rangeWords, strings.ToLower(words[n-1])) && isYear(strings.Trim(words[n-2], ",.()")) &&
		strings.ContainsAny(strings.Join(words[max(0, n-4):n-2], " "), "0123456789")
}

func isYear(s string) bool { return len(s) == 4 && s >= "1000" && strings.Trim(s, "0123456789") == "" }

var rangeWords = strings.Fields("- – — ~ 〜 ～ to until till through bis au à al hasta até fino tot до по")

func isOtherDayWord(word string) bool {
	return slices.ContainsFunc(otherDays, func(stem string) bool { return strings.HasPrefix(word, stem) })
}
