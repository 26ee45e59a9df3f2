const single = `
  王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江
  尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕
  单季裴霍涂成苗谷曲盛冉翁骆位路游靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳阎穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬
  边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝封官谈匡鞠惠荆乐冀胥储原`;

const singles = new Set([...single].filter((character) => character.trim() !== ''));
const compounds = new Set(
  '欧阳 司马 上官 诸葛 东方 夏侯 皇甫 尉迟 公孙 慕容 令狐 司徒 南宫 独孤 长孙 端木 司空 宇文'.split(' '),
);

/** The surname that a Chinese name begins with; undefined where it begins with none. */
export function findSurname(name: string): string | undefined {
  if (compounds.has(name.slice(0, 2))) return name.slice(0, 2);
  const [first = ''] = name;
  return singles.has(first) ? first : undefined;
}
