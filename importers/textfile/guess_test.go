package textfile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// goods lists rows in the languages of each character set, as a shop has them.
var goods = map[string][]string{
	"windows-1251": {
		"Молоко пастеризованное 3,2%", "Хлеб ржаной", "Сыр «Российский»", "Яблоки зелёные", "Москва",
		"Санкт-Петербург", "Ключ гаечный", "Шуруп", "Краска белая матовая", "Электрический чайник",
		"Щётка", "Подшипник", "Картофель", "Чай чёрный листовой", "Объём 5 л",
	},
	"koi8-r": {
		"Молоко пастеризованное", "Хлеб ржаной", "Яблоки зелёные", "Москва", "Санкт-Петербург",
		"Ключ гаечный", "Шуруп", "Краска белая матовая", "Электрический чайник", "Картофель",
	},
	"windows-1250": {
		"Žluťoučký kůň", "Příliš žluté", "Šroub křížový", "Mléko čerstvé", "Chléb žitný", "Jablka zelená",
		"Matice čtyřhranná", "Hřebík", "Třešně", "Rychlovarná konvice", "Káva mletá", "Sýr uzený",
	},
	"windows-1250/pl": {
		"Śruba krzyżowa", "Młotek", "Żarówka LED", "Łódź", "Chleb żytni", "Mleko świeże", "Jabłka zielone",
		"Gwoździe", "Farba biała", "Czajnik elektryczny", "Książka", "Źródło", "Nakrętka",
	},
	"windows-1250/hu": {
		"Tejföl", "Kenyér", "Zöld alma", "Csavarhúzó", "Fűrész", "Őszibarack", "Kávéfőző", "Sajt füstölt",
		"Szög", "Festék fehér", "Gyümölcslé", "Műanyag vödör",
	},
	"windows-1252": {
		"Käse", "Brötchen", "Weiße Farbe", "Schraubenschlüssel", "Äpfel grün", "Glühbirne", "Grüße",
		"Kühlschrank", "Bügeleisen", "Gewürzgurken – 5 kg", "Öl 1 l", "Straße",
	},
	"windows-1252/fr": {
		"Crème fraîche", "Pâté", "Clé à molette", "Café moulu", "Pommes vertes", "Œufs frais", "Étagère",
		"Bœuf haché", "Ampoule électrique", "Prix : 5 €", "Forêt", "L’été",
	},
	"windows-1252/es": {
		"Piña", "Champú", "Jamón serrano", "Azúcar", "Café molido", "Español", "Bañera", "Año 2024",
		"Lámpara eléctrica", "Plátano", "Pingüino", "¿Qué?",
	},
	"windows-1252/pt": {
		"Pão de açúcar", "Maçã verde", "Feijão", "Lâmpada elétrica", "Água", "Café", "São Paulo", "Coração",
		"Limão", "Óleo de soja", "Três", "Manteiga",
	},
	"windows-1252/sv": {
		"Smörgås", "Äpple", "Mjölk", "Glödlampa", "Kök", "Ångbåt", "Rödbetor", "Blåbär", "Grön färg",
	},
	"windows-1253": {
		"Ελαιόλαδο εξαιρετικό παρθένο", "Φέτα", "Γάλα", "Ψωμί ολικής", "Αθήνα", "Θεσσαλονίκη", "Κλειδί",
		"Βίδα", "Λάμπα", "Άσπρο χρώμα", "Καφές", "Ζάχαρη",
	},
	"windows-1254": {
		"Şeker", "Çay bardağı", "Ağaç", "Işık", "Süt", "Yeşil elma", "Kırmızı boya", "İstanbul", "Vida",
		"Elektrikli ısıtıcı", "Peynir", "Çiğ köfte", "Buğday",
	},
	"windows-1255": {"חלב", "לחם", "תפוחים ירוקים", "גבינה", "ירושלים", "מנורה", "צבע לבן", "קפה", "סוכר"},
	"shift_jis": {
		"りんごジュース", "ノートパソコン", "鉛筆", "赤い本", "東京都千代田区", "牛乳", "電球", "ネジ", "コーヒー豆",
		"緑のりんご", "白いペンキ", "お茶の葉", "消しゴム", "株式会社",
	},
	"euc-jp": {
		"りんごジュース", "ノートパソコン", "鉛筆", "赤い本", "東京都千代田区", "牛乳", "電球", "ネジ", "コーヒー豆",
		"緑のりんご", "白いペンキ", "お茶の葉", "消しゴム", "株式会社",
	},
	"euc-kr": {
		"사과 주스", "노트북 컴퓨터", "연필", "빨간 책", "서울특별시 강남구", "우유", "전구", "나사", "커피",
		"초록 사과", "흰색 페인트", "주식회사", "홍길동",
	},
	"gb18030": {
		"苹果汁", "笔记本电脑", "铅笔", "红色的书", "北京市朝阳区", "牛奶", "灯泡", "螺丝", "咖啡豆", "绿苹果",
		"白色油漆", "有限公司", "中国制造", "新鲜的水果", "数量", "价格",
	},
	"big5": {
		"蘋果汁", "筆記型電腦", "鉛筆", "紅色的書", "台北市信義區", "牛奶", "燈泡", "螺絲", "咖啡豆", "綠蘋果",
		"白色油漆", "有限公司", "台灣製造", "新鮮的水果", "數量", "價格",
	},
}

// shop makes a text file of n random rows.
func shop(rnd *rand.Rand, rows []string, n int) string {
	var b strings.Builder
	b.WriteString("SKU;Name;Price\n")
	for i := range n {
		fmt.Fprintf(&b, "A-%d;%s;%d\n", i, rows[rnd.IntN(len(rows))], rnd.IntN(1000))
	}
	return b.String()
}

// TestNeverMojibakeInSilence: a text in any of these character sets is read correctly, or the user
// must choose the character set. For a text of 60 rows, the user need not choose.
func TestNeverMojibakeInSilence(t *testing.T) {
	t.Parallel()
	for name, rows := range goods {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			charset, _, _ := strings.Cut(name, "/")
			enc, err := htmlindex.Get(charset)
			if err != nil {
				t.Fatal(err)
			}
			rnd, times := rand.New(rand.NewPCG(7, 7)), 15
			if testenv.Race {
				times = 3
			}
			for _, n := range []int{1, 2, 5, 60} {
				right, asked, wrong := 0, 0, 0
				for range times {
					text := shop(rnd, rows, n)
					coded, err := enc.NewEncoder().String(text)
					if err != nil {
						t.Fatal(err)
					}
					got, asks := readBack(coded)
					switch {
					case asks:
						asked++
					case got == strings.Join(strings.Fields(text), " "):
						right++
					default:
						wrong++
						t.Logf("%d rows: %.300q", n, got)
					}
				}
				t.Logf("%d rows: right %d, asked %d, wrong %d", n, right, asked, wrong)
				if wrong > 0 || n == 60 && asked > 0 {
					t.Errorf("%d rows: right %d, asked %d, wrong %d", n, right, asked, wrong)
				}
			}
		})
	}
}

// readBack reads a file and joins its words. It returns true if the user must choose the character
// set.
func readBack(coded string) (string, bool) {
	r := uploads.Read([]byte(coded), source.Options{})
	if r.Err != nil {
		return r.Err.Error(), strings.HasPrefix(r.Err.Error(), tabular.CodeUnknownEncoding)
	}
	lines := []string{strings.Join(r.Table.Header, ";")}
	for _, cells := range r.Texts() {
		lines = append(lines, strings.Join(cells, ";"))
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " "), false
}

// TestCharset_FewWesternLetters_AreRead: an English text with only a few letters beyond ASCII, such
// as those in names, is read with a warning.
func TestCharset_FewWesternLetters_AreRead(t *testing.T) {
	t.Parallel()
	for want, sets := range map[string]map[string][]string{
		"windows-1252": {"windows-1252": {
			"Children’s Hospital", "don’t", "O’Brien", "Muñoz", "La Cañada", "García", "Martínez", "Jørgensen",
			"Molière", "crème", "São Paulo", "Curaçao", "José", "Zoë", "naïve", "Malmö", "– 5 °C", "“quoted”",
		}},
		"macintosh": {"macintosh": {"Muñoz", "García and Muñoz", "San José", "Peña – Suárez", "Chloë’s café"}},
	} {
		for charset, texts := range sets {
			enc, err := htmlindex.Get(charset)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				data, err := enc.NewEncoder().String("Id,Name\n1,Smith\n2," + text + "\n3,Jones and Sons\n")
				if err != nil {
					t.Fatal(err)
				}
				r := uploads.Read([]byte(data), source.Options{})
				if r.Err != nil || r.Table.Encoding != want || r.Texts()[1][1] != text {
					t.Errorf("%s: %q: %v, %v", want, text, r.Texts(), r.Err)
					continue
				}
				uploads.RequireWarning(t, r.Table.Warnings, "read as "+want, "Check the letters")
			}
		}
	}
}
