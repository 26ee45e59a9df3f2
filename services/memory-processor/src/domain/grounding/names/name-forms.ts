/** Lines of names that stand for the same person, place, currency or thing, in lower case; the first column of none counts more. */
const SAME = `
mike michael mikey|bob rob robert bobby robbie|bill will william billy willy|liz beth betty eliza elizabeth lizzie|kate katie kathy katherine catherine cathy
jim jimmy james jamie|jack john johnny jonathan jon|meg peggy maggie margaret|tony anthony|ted ed eddie edward|harry hank henry|chuck charlie charles
becky rebecca|sue susan susie|andy drew andrew|jen jenny jennifer|trish patty tricia patricia|vicky victoria|mandy amanda|larry lawrence|joe joey joseph
rick dick ricky richard|nate nathan nathaniel|dave david|greg gregory|gabby gabi gabriela gabrielle|mel melanie melissa|nick nicholas|tina christina kristina
nyc newyork newyorkcity bigapple|la losangeles|sf sanfrancisco frisco|dc washington washingtondc|philly philadelphia|vegas lasvegas|uk unitedkingdom britain greatbritain england
us usa unitedstates america states unitedstatesofamerica|eu europeanunion|uae emirates unitedarabemirates|hk hongkong|kl kualalumpur|prc china|nz newzealand
gbp pound pounds quid sterling £|usd dollar dollars buck bucks $|eur euro euros €|cny rmb yuan kuai ¥ 元 块 人民币|jpy yen 日元|inr rupee rupees ₹|krw won 韩元|chf franc francs|dkk kroner krone|sek kronor krona|nok kroner krone|sgd s$|hkd hk$ 港币|cad c$|aud a$|czk koruna|pln zloty|brl real reais|mxn peso pesos|try lira|rub ruble rubles
covid corona coronavirus pandemic covid19 新冠 疫情|tv television telly|phd doctorate doctoral|msc masters master ma mba|bsc bachelors bachelor ba|gp doctor physician
xmas christmas|vr virtualreality|ai artificialintelligence|it informationtechnology|hr humanresources|pe gym|pto vacation|ceo chiefexecutive|cto|ux userexperience
spain spanish spaniard|france french|germany german|italy italian|china chinese|japan japanese|sweden swedish swede|norway norwegian|denmark danish dane|finland finnish finn
poland polish pole|turkey turkish turk|greece greek|netherlands dutch holland|ireland irish|scotland scottish scots|wales welsh|switzerland swiss|portugal portuguese
brazil brazilian|mexico mexican|canada canadian|india indian|korea korean|vietnam vietnamese|thailand thai|russia russian|ukraine ukrainian|israel israeli|iran iranian persian
england english|america american|peru peruvian|chile chilean|argentina argentinian argentine|egypt egyptian|kenya kenyan|morocco moroccan|philippines filipino philippine
buddhism buddhist|christianity christian|islam muslim|judaism jewish jew|catholicism catholic|hinduism hindu|democrat democratic|republican`;

/** The other forms of each name, blanks left out. */
export const SAME_NAMES: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const forms = new Map<string, Set<string>>();
  for (const group of SAME.trim().split(/[|\n]/u)) {
    const names = group.trim().split(/\s+/u);
    for (const name of names) for (const other of names) forms.set(name, (forms.get(name) ?? new Set()).add(other));
  }
  return forms;
})();

/** Words that a fact may begin with and that name nobody: without a subject, or with a title, a trade or a season. */
const OPENERS = new Set(
  `according works lives likes loves enjoys prefers hates dislikes wants plans hopes needs owns has had is was does did feels thinks believes knows
  studies studied teaches taught plays played runs ran drives drove moved moves visited visits bought sold started starts began begins finished
  graduated married divorced born grew raised adopted lost found won received gave got takes took makes made keeps kept uses used tries tried
  attends attended joined joins left leaves quit went goes saw sees met meets reads writes wrote speaks spoke practices practises cooks bakes paints sings
  swims hikes climbs travels traveled travelled volunteers suffers recovers recovered avoids eats ate drinks drank sleeps wakes walks rides collects
  software senior junior product project data freelance self part full old new young best big little former current recent upcoming regular daily weekly monthly
  yearly annual favorite favourite family work home school college university job health diet hobby hobbies pet cat dog car house apartment doctor nurse teacher engineer
  student parent parents mother father sister brother daughter son wife husband partner friend friends colleague boss aunt uncle cousin grandmother grandfather
  user users people someone everyone everybody nobody two three four five six seven eight nine ten several many most few more every each any another
  allergic vegetarian vegan single engaged pregnant retired unemployed interested excited happy sad proud afraid worried tired able unable
  morning evening night weekend weekends today yesterday tomorrow last next later earlier now then once twice since until despite due because
  growing working living being having going doing making taking getting playing running reading`
    .trim()
    .split(/\s+/u),
);
/** Names that end as adverbs do. */
const NAMES_IN_LY =
  /^(?:emily|sally|kelly|billy|molly|holly|lily|polly|beverly|kimberly|carly|shelly|ally|willy|elly|nelly|jolly|italy|july|kely|lely|charly|milly|dolly|wally|tilly)$/iu;

/** Whether a capitalised word at the beginning of a sentence is likely an ordinary one. */
export function isOpener(word: string): boolean {
  const plain = word.toLowerCase();
  if (OPENERS.has(plain)) return true;
  return plain.length > 4 && plain.endsWith('ly') && !NAMES_IN_LY.test(plain);
}

/** Places that Chinese facts name often; one that nobody said is no place of the fact. */
export const CHINESE_PLACES =
  /北京|上海|广州|深圳|天津|重庆|成都|杭州|南京|武汉|西安|苏州|郑州|长沙|沈阳|青岛|宁波|东莞|无锡|佛山|合肥|大连|福州|厦门|哈尔滨|济南|温州|南宁|长春|泉州|石家庄|贵阳|南昌|金华|常州|嘉兴|南通|太原|徐州|珠海|中山|兰州|台州|海口|乌鲁木齐|洛阳|昆明|大理|丽江|三亚|拉萨|西宁|银川|呼和浩特|桂林|扬州|绍兴|香港|澳门|台湾|台北|高雄|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|内蒙古|广西|西藏|宁夏|新疆|日本|韩国|美国|英国|法国|德国|意大利|西班牙|加拿大|澳大利亚|澳洲|新西兰|新加坡|泰国|越南|马来西亚|印度|俄罗斯|东京|大阪|京都|首尔|纽约|洛杉矶|旧金山|波士顿|伦敦|巴黎|柏林|悉尼|墨尔本|多伦多|温哥华|曼谷|冰岛|瑞士|荷兰|瑞典|挪威|丹麦|埃及|土耳其|巴西/u;
