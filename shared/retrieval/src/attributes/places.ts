/** The cities of China down to prefectures, and those of the world that Chinese texts name most; without 市. */
const chineseCities = `
  北京 上海 天津 重庆 香港 澳门 台北 高雄 台中 台南 新北 桃园 新竹 石家庄 唐山 秦皇岛 邯郸 邢台 保定 张家口 承德 沧州 廊坊 衡水 太原 大同 阳泉 长治 晋城 朔州 晋中
  运城 忻州 临汾 吕梁 呼和浩特 包头 乌海 赤峰 通辽 鄂尔多斯 呼伦贝尔 巴彦淖尔 乌兰察布 沈阳 大连 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 铁岭 朝阳 葫芦岛 长春
  四平 辽源 通化 白山 松原 白城 延吉 哈尔滨 齐齐哈尔 鸡西 鹤岗 双鸭山 大庆 伊春 佳木斯 七台河 牡丹江 黑河 绥化 南京 无锡 徐州 常州 苏州 南通 连云港 淮安 盐城 扬州
  镇江 泰州 宿迁 昆山 常熟 张家港 杭州 宁波 温州 嘉兴 湖州 绍兴 金华 衢州 舟山 台州 丽水 义乌 合肥 芜湖 蚌埠 淮南 马鞍山 淮北 铜陵 安庆 黄山 滁州 阜阳 宿州 六安 亳州
  池州 宣城 福州 厦门 莆田 三明 泉州 漳州 南平 龙岩 宁德 晋江 南昌 景德镇 萍乡 九江 新余 鹰潭 赣州 吉安 宜春 抚州 上饶 济南 青岛 淄博 枣庄 东营 烟台 潍坊 济宁 泰安
  威海 日照 临沂 德州 聊城 滨州 菏泽 郑州 开封 洛阳 平顶山 安阳 鹤壁 新乡 焦作 濮阳 许昌 漯河 三门峡 南阳 商丘 信阳 周口 驻马店 武汉 黄石 十堰 宜昌 襄阳 鄂州 荆门
  孝感 荆州 黄冈 咸宁 随州 恩施 长沙 株洲 湘潭 衡阳 邵阳 岳阳 常德 张家界 益阳 郴州 永州 怀化 娄底 广州 韶关 深圳 珠海 汕头 佛山 江门 湛江 茂名 肇庆 惠州 梅州 汕尾
  河源 阳江 清远 东莞 中山 潮州 揭阳 云浮 南宁 柳州 桂林 梧州 北海 防城港 钦州 贵港 玉林 百色 贺州 河池 来宾 崇左 海口 三亚 成都 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁
  内江 乐山 南充 眉山 宜宾 广安 达州 雅安 巴中 资阳 贵阳 六盘水 遵义 安顺 毕节 铜仁 昆明 曲靖 玉溪 保山 昭通 丽江 普洱 临沧 大理 拉萨 日喀则 林芝 西安 铜川 宝鸡 咸阳
  渭南 延安 汉中 榆林 安康 商洛 兰州 嘉峪关 金昌 白银 天水 武威 张掖 平凉 酒泉 庆阳 定西 陇南 西宁 海东 银川 石嘴山 吴忠 固原 中卫 乌鲁木齐 克拉玛依 吐鲁番 哈密 喀什
  伊宁 东京 大阪 京都 横滨 名古屋 札幌 福冈 神户 首尔 釜山 曼谷 清迈 吉隆坡 雅加达 马尼拉 河内 胡志明市 金边 仰光 新德里 孟买 迪拜 伊斯坦布尔 莫斯科 圣彼得堡 伦敦 曼彻斯特
  爱丁堡 都柏林 巴黎 里昂 柏林 慕尼黑 汉堡 法兰克福 科隆 维也纳 苏黎世 日内瓦 米兰 罗马 佛罗伦萨 威尼斯 马德里 巴塞罗那 里斯本 布鲁塞尔 阿姆斯特丹 鹿特丹 哥本哈根
  斯德哥尔摩 奥斯陆 赫尔辛基 华沙 布拉格 布达佩斯 雅典 开罗 内罗毕 约翰内斯堡 开普敦 悉尼 墨尔本 布里斯班 珀斯 奥克兰 惠灵顿 纽约 洛杉矶 旧金山 西雅图 波士顿 芝加哥 休斯敦
  达拉斯 华盛顿 费城 亚特兰大 迈阿密 圣何塞 圣地亚哥 温哥华 多伦多 蒙特利尔 渥太华 墨西哥城 圣保罗 里约热内卢 布宜诺斯艾利斯 新加坡`;

/** Parts of countries, and of the world: where somebody lives, but no city. */
const regions = `
  Africa|Antarctica|Asia|Europe|North America|South America|Latin America|Oceania|Scandinavia|England|Scotland|Wales|Britain|
  Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|
  Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|
  New Jersey|New Mexico|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|
  Tennessee|Texas|Utah|Vermont|Virginia|West Virginia|Wisconsin|Wyoming|Ontario|British Columbia|Alberta|Manitoba|Saskatchewan|
  Nova Scotia|New Brunswick|Newfoundland|New South Wales|Victoria|Queensland|Tasmania|South Australia|Western Australia|Bavaria|
  Saxony|Hesse|Tyrol|Normandy|Brittany|Provence|Catalonia|Andalusia|Galicia|Tuscany|Sicily|Sardinia|Lombardy|Cornwall|Devon|Kent|
  Essex|Sussex|Surrey|Yorkshire|Lancashire|Flanders|Wallonia|Kerala|Punjab|Gujarat|Bengal|Siberia|Hokkaido|Okinawa|Bali|Java`;
/** What countries are called besides their names in full. */
const otherCountryNames = ['UK', 'USA', 'US', 'United States of America', 'UAE', 'Holland', 'Turkey', 'Czech Republic'];
/** Countries that are one city. */
const cityStates = new Set([
  'Singapore',
  'Luxembourg',
  'Monaco',
  'San Marino',
  'Vatican City',
  'Gibraltar',
  'Djibouti',
]);

const cities = new Set(chineseCities.trim().split(/\s+/));
const regionNames = new Set(regions.split('|').map((name) => name.trim()));

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

/** What a language calls all countries, or all languages of two letters, as the runtime knows it. */
function listNames(type: 'region' | 'language', language: string): readonly string[] {
  const names = new Intl.DisplayNames(language, { type, fallback: 'none' });
  return codes.flatMap((code) => names.of(type === 'language' ? code.toLowerCase() : code) ?? []);
}

const countries = new Set([...listNames('region', 'en'), ...listNames('region', 'zh'), ...otherCountryNames]);
const languages = new Set([
  ...listNames('language', 'en'),
  'Mandarin',
  'Cantonese',
  'Farsi',
  'Hokkien',
  'Hakka',
  'Flemish',
]);

/** Whether a word is the English name of a language. */
export const isLanguage = (name: string): boolean => languages.has(name);

/** Whether a text, without "the", is the name of a country, in English or Chinese, that is more than a city. */
export const isCountry = (name: string): boolean => countries.has(name) && !cityStates.has(name) && !cities.has(name);

/** Whether a name is that of a part of a country or of the world. */
export const isRegion = (name: string): boolean => regionNames.has(name);

/** The longest city or country that a Chinese text begins with. */
export function findChinesePlace(text: string): string | undefined {
  for (let length = Math.min(8, text.length); length >= 2; length -= 1) {
    const name = text.slice(0, length);
    if (cities.has(name) || countries.has(name)) return name;
  }
  return undefined;
}
