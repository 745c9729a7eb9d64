package langid

import "strings"

// simplified and traditional are frequent characters that exist only in one of the two ways to write Chinese, in
// pairs.
const (
	simplified  = "们这来国时会为个学对经么进过现说发长问还无开样应给东车马风书见门飞鸟鱼龙电话语读写买卖钱银铁红绿级线级组织统继续维网罗联职听声号员务动劳势医药业专严丧两义乐习乡产亲仅从仓价众优传伤伦伪体军农冲决况净减几凤击则刚创办加劝单卫厂厅历压厌县参双变叶吓启呜响哑唤团园围图圆圣场坏块坚坛垒备复头夺奋奖妇妈孙宁宝实宠审宽宾导寿将尔尘尝层届属岁岛币师带帮广庆庐库庞废异弃张弥弯弹强归录径忆忧怀态总恋恳恶悬惊惧惩愿戏战户扑执扩扫扬扰抚抛抢护报担拟拥择挂挥损换据挤"
	traditional = "們這來國時會為個學對經麼進過現說發長問還無開樣應給東車馬風書見門飛鳥魚龍電話語讀寫買賣錢銀鐵紅綠級線級組織統繼續維網羅聯職聽聲號員務動勞勢醫藥業專嚴喪兩義樂習鄉產親僅從倉價眾優傳傷倫偽體軍農衝決況淨減幾鳳擊則剛創辦加勸單衛廠廳歷壓厭縣參雙變葉嚇啟嗚響啞喚團園圍圖圓聖場壞塊堅壇壘備復頭奪奮獎婦媽孫寧寶實寵審寬賓導壽將爾塵嘗層屆屬歲島幣師帶幫廣慶廬庫龐廢異棄張彌彎彈強歸錄徑憶憂懷態總戀懇惡懸驚懼懲願戲戰戶撲執擴掃揚擾撫拋搶護報擔擬擁擇掛揮損換據擠"
)

// hanScripts holds 1 for each character used only in simplified Chinese, and -1 for each used only in traditional
// Chinese.
var hanScripts = makeHanScripts()

func makeHanScripts() map[rune]int8 {
	of := map[rune]int8{}
	for _, r := range simplified {
		if !strings.ContainsRune(traditional, r) {
			of[r] = 1
		}
	}
	for _, r := range traditional {
		if !strings.ContainsRune(simplified, r) {
			of[r] = -1
		}
	}
	return of
}

// hanBalance returns the number of simplified characters in text minus the number of traditional ones.
func hanBalance(text string) int {
	n := 0
	for _, r := range text {
		n += int(hanScripts[r])
	}
	return n
}
