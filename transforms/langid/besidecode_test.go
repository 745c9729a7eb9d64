package langid

import (
	"fmt"
	"strings"
	"testing"
)

// These are examples of programs, as manuals have them.
var examples = []string{
	"import React, { useState } from 'react';\n\nfunction Counter() {\n  const [count, setCount] = useState(0);\n\n  " +
		"return (\n    <button onClick={() => setCount(count + 1)}>\n      {count}\n    </button>\n  );\n}",
	"from flask import Flask\n\napp = Flask(__name__)\n\n@app.route(\"/\")\ndef hello_world():\n    " +
		"return \"<p>Hello</p>\"",
	"fn read(path: &str) -> Result<String, io::Error> {\n    let mut s = String::new();\n    " +
		"File::open(path)?.read_to_string(&mut s)?;\n    Ok(s)\n}",
	"$ curl -X POST https://api.example.com/v1/charges \\\n  -u sk_test: \\\n  -d amount=2000 \\\n  -d currency=usd",
}

// manual puts an example of a program after each paragraph.
func manual(paragraphs string) string {
	var b strings.Builder
	for i, p := range strings.Split(paragraphs, "|") {
		fmt.Fprintf(&b, "%s\n%s\n", p, examples[i%len(examples)])
	}
	return b.String()
}

// TestDetect_besideCode: manuals of programs are in the language that explains them.
func TestDetect_besideCode(t *testing.T) {
	for want, text := range map[string]string{
		"en": "A component keeps its own state, and draws itself again when the state is changed by a click of the user.|" +
			"The first line makes an application, and the second one tells which function answers for this address.|" +
			"If the file cannot be opened, the function returns the error to whoever called it, and reads nothing.|" +
			"You can try this from the command line before you write any code of your own in the language you like.",
		"de": "Eine Komponente hat ihren eigenen Zustand und zeichnet sich neu, wenn er sich durch einen Klick ändert.|" +
			"Die erste Zeile legt eine Anwendung an, und die zweite sagt, welche Funktion für diese Adresse antwortet.|" +
			"Wenn die Datei nicht geöffnet werden kann, gibt die Funktion den Fehler an den zurück, der sie gerufen hat.|" +
			"Das können Sie auf der Kommandozeile versuchen, bevor Sie selbst etwas in Ihrer Sprache schreiben.",
		"fr": "Un composant garde son propre état et se redessine quand un clic de l'utilisateur change cet état.|" +
			"La première ligne crée une application, et la seconde dit quelle fonction répond à cette adresse.|" +
			"Si le fichier ne peut pas être ouvert, la fonction rend l'erreur à celui qui l'a appelée et ne lit rien.|" +
			"Vous pouvez essayer cela dans la ligne de commande avant d'écrire du code dans la langue de votre choix.",
		"fi": "Komponentti pitää oman tilansa ja piirtyy uudelleen, kun tila muuttuu käyttäjän painalluksesta.|" +
			"Ensimmäinen rivi luo sovelluksen, ja toinen kertoo, mikä funktio vastaa tästä osoitteesta.|" +
			"Jos tiedostoa ei voi avata, funktio palauttaa virheen kutsujalleen eikä lue mitään muuta.|" +
			"Tätä voi kokeilla komentoriviltä ennen kuin kirjoittaa itse koodia haluamallaan kielellä.",
		"ca": "Un component guarda el seu propi estat i es torna a dibuixar quan un clic de l'usuari canvia l'estat.|" +
			"La primera línia crea una aplicació, i la segona diu quina funció respon per a aquesta adreça.|" +
			"Si el fitxer no es pot obrir, la funció retorna l'error a qui l'ha cridada i no llegeix res més.|" +
			"Podeu provar-ho des de la línia d'ordres abans d'escriure codi en el llenguatge que més us agradi.",
		"ru": "Компонент хранит своё состояние и рисуется снова, когда оно меняется после нажатия кнопки.|" +
			"Первая строка создаёт приложение, а вторая говорит, какая функция отвечает по этому адресу.|" +
			"Если файл нельзя открыть, функция возвращает ошибку тому, кто её вызвал, и ничего не читает.|" +
			"Это можно попробовать в командной строке, прежде чем писать код на любимом языке.",
	} {
		for _, times := range []int{1, 2, 12} {
			text := strings.TrimSpace(strings.Repeat(manual(text), times))
			if got := New(Options{}).Detect(text); len(got) == 0 || got[0].Code != want {
				t.Errorf("%d times: Detect(%.40q…) = %v, want %s", times, text, got, want)
			}
		}
	}
}

// TestDetect_codeWithComments: a few words do not make a program prose.
func TestDetect_codeWithComments(t *testing.T) {
	code := strings.Repeat(strings.Join(examples, "\n"), 4)
	for _, text := range []string{
		"// This file is part of the tool. It may be used under the terms of the licence in the file next to it.\n" + code,
		code + "\n# TODO: read the rest of the file here, since the first line may be the head of a table\n" + code,
		strings.Repeat("/* adds two numbers */\nint add(int a, int b) { return a + b; }\n", 30),
		strings.Repeat("2024-05-03 10:09:38 ERROR [main] (com.example.Tool:31) - task_id=12 failed: {\"code\": 500}\n", 30),
	} {
		if got := New(Options{}).Detect(text); len(got) == 0 || got[0].Code != NoLanguage {
			t.Errorf("Detect(%.40q…) = %v, want %s", text, got, NoLanguage)
		}
	}
}
